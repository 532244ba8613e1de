/* A shared object that has one of a plugin's four functions. */
int gpa_plugin_abi(void);

int gpa_plugin_abi(void)
{
    return 1;
}
