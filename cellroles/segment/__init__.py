"""Sheet -> regions -> tables: where the tables of a sheet are, before and after the roles are known."""
