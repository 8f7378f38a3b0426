"""Its folder is one that modules are looked for in: `recordings` is for the tests of each folder below."""
