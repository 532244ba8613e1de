/* Gives a target the files and folders that are named, as they are and spoilt in ways
 * that are always the same: for compilers without a fuzzer.
 *
 *   fuzz_NAME [-m COUNT] FILE|FOLDER...     COUNT: how often each is spoilt
 */
#include "fuzz.h"
#include <dirent.h>
#include <sys/stat.h>

static unsigned long runs, spoils;
static uint64_t dice = 88172645463325252u;

static uint64_t roll(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice;
}

/* In a block of its very size, so that a byte beyond it is seen by a sanitizer. */
static void give(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    MUST(exact != NULL);
    memcpy(exact, data, size);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    runs++;
}

/* Changes, drops, repeats or inserts a few bytes; the new size, at most 2 * size + 64.
 */
static size_t spoil(uint8_t *data, size_t size)
{
    static const char LIKELY[] = "0123456789-+.eE,;:\"'{}[]()=\\ \t\r\n\0\xff\x80uT";
    for (unsigned n = 1 + roll() % 4; n > 0; n--) {
        size_t at = size > 0 ? roll() % size : 0, length = roll() % 16 + 1;
        length = length < size - at ? length : size - at;
        switch (size > 0 ? roll() % 5 : 4) {
        case 0:
            data[at] = (uint8_t)LIKELY[roll() % (sizeof LIKELY - 1)];
            break;
        case 1:
            data[at] ^= (uint8_t)(1u << roll() % 8);
            break;
        case 2:
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        case 3:
            memmove(data + at + length, data + at, size - at);
            size += length;
            break;
        default:
            memmove(data + at + 1, data + at, size - at);
            data[at] = (uint8_t)LIKELY[roll() % (sizeof LIKELY - 1)];
            size++;
        }
    }
    return size;
}

static void read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    MUST(f != NULL && fseek(f, 0, SEEK_END) == 0);
    long length = ftell(f);
    rewind(f);
    size_t size = length > 0 ? (size_t)length : 0;
    uint8_t *data = malloc(size + 1), *copy = malloc(2 * size + 128);
    MUST(data != NULL && copy != NULL && fread(data, 1, size, f) == size);
    fclose(f);
    give(data, size);
    for (unsigned long i = 0; i < spoils; i++) {
        memcpy(copy, data, size);
        give(copy, spoil(copy, size));
    }
    free(copy);
    free(data);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_folder(const char *path, DIR *folder)
{
    char *names[4096], file[4096];
    size_t n = 0;
    for (struct dirent *e; n < 4096 && (e = readdir(folder)) != NULL;)
        if (e->d_name[0] != '.')
            names[n++] = strdup(e->d_name);
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++) {
        snprintf(file, sizeof file, "%s/%s", path, names[i]);
        read_file(file);
        free(names[i]);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-m") == 0 && i + 1 < argc) {
            spoils = strtoul(argv[++i], NULL, 10);
            continue;
        }
        DIR *folder = opendir(argv[i]);
        if (folder != NULL) {
            read_folder(argv[i], folder);
            closedir(folder);
        } else {
            read_file(argv[i]);
        }
    }
    printf("%lu runs\n", runs);
    return runs > 0 ? 0 : 1;
}
