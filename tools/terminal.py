"""What a program writes on a terminal, for tests and for pages that show it."""
import fcntl
import os
import pty
import struct
import subprocess
import termios


def on_terminal(command, columns=80, lines=24, **options):
    """(text, exit code) of a command whose standard output is a terminal of that size; `options`
    are those of subprocess.Popen, where standard error goes to the terminal, too, unless said."""
    lead, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    child = subprocess.Popen(command, stdout=end, **{"stderr": end, **options})
    os.close(end)
    text = b""
    try:
        while part := os.read(lead, 65536):
            text += part
    except OSError:  # the other end is closed
        pass
    os.close(lead)
    return text.decode().replace("\r\n", "\n"), child.wait()
