-- One row, made here and never changed: it tells this site from others on a shared Redis.
create table site (
  id uuid not null default gen_random_uuid(),
  is_only boolean primary key default true check (is_only)
);
insert into site default values;

-- One row, made here: the process that runs the jobs of the whole site, and until when.
create table site_lease (
  is_only boolean primary key default true check (is_only),
  holder uuid,
  expires_at timestamptz not null default '-infinity'
);
insert into site_lease default values;
