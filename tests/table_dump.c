/* table_dump FILE [ID]: a table as the library reads it, a line of JSON for each
 * column: [name, cells…]; numbers with all their digits, null where one is missing. */
#include <gpa/gpa.h>
#include <math.h>
#include <stdio.h>

static void put_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < 32)
            printf("\\u%04x", *text);
        else
            putchar(*text);
    putchar('"');
}

int main(int argc, char **argv)
{
    gpa_table *t = NULL;
    gpa_table_options opt;
    gpa_error err;
    gpa_table_options_init(&opt);
    opt.text_column = argc > 2 ? argv[2] : NULL;
    if (gpa_table_read(&t, argv[1], &opt, &err) != GPA_OK) {
        printf("%s\n", err.message);
        return 1;
    }
    for (size_t k = 0; k < gpa_table_columns(t); k++) {
        const double *numbers = gpa_table_numbers(t, k, NULL);
        bool text = numbers == NULL || gpa_table_text(t, 0, k) != NULL;
        putchar('[');
        put_text(gpa_table_name(t, k));
        for (size_t i = 0; i < gpa_table_rows(t); i++) {
            const char *cell = text ? gpa_table_text(t, i, k) : NULL;
            putchar(',');
            if (cell != NULL && (numbers == NULL || !isnan(numbers[i])))
                put_text(cell);
            else if (cell == NULL && !isnan(numbers[i]))
                printf("%.17g", numbers[i]);
            else
                printf("null");
        }
        printf("]\n");
    }
    gpa_table_free(t);
    return 0;
}
