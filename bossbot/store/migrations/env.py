"""Alembic loads this file to run the scripts, over the connection and in the transaction that `migrate` hands in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
