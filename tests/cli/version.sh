"$GPA" --version | grep -cE '^gpa [0-9]+\.[0-9]+\.[0-9]+$'
