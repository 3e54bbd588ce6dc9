-- Everything reported about one learner until it is decided. The ids of moderators stay when their accounts
-- are deleted, as in the audit log.
create table report_case (
  id bigint generated always as identity primary key,
  reported_id bigint not null references users (id) on delete cascade,
  status text not null default 'open' check (status in ('open', 'claimed', 'decided')),
  opened_at timestamptz not null,
  last_report_at timestamptz not null,
  -- The moderator who decides it, as long as nobody else claims it.
  claimed_by bigint,
  claimed_at timestamptz,
  decided_by bigint,
  decided_at timestamptz,
  -- 'dismiss', or the kind of the sanction.
  decision text,
  decision_reason text,
  check ((status = 'decided') = (decided_at is not null))
);
-- One undecided case a learner: reports that arrive together meet in it.
create unique index report_case_undecided on report_case (reported_id) where status <> 'decided';
-- The cases of one learner, decided ones too.
create index report_case_reported on report_case (reported_id);
-- The newest decided cases, a page at a time, however many there are.
create index report_case_decided on report_case (decided_at, id) where status = 'decided';
-- The deletion of old cases.
create index report_case_last_report on report_case (last_report_at);

create table report (
  id bigint generated always as identity primary key,
  case_id bigint not null references report_case (id) on delete cascade,
  -- Null once the account of the reporter is deleted.
  reporter_id bigint references users (id) on delete set null,
  reason text not null check (reason in ('ABUSE', 'OBSCENE_CONTENT', 'DISTURBANCE')),
  description text not null,
  room_id bigint not null,
  created_at timestamptz not null,
  -- How much it counts, 0 to 1, by the record of the reporter at that time.
  weight real not null check (weight between 0 and 1),
  -- Of that time: the last messages that the reporter could read, and the learners who were there.
  messages jsonb not null,
  statuses jsonb not null,
  -- One report of a learner in a case: also the index by case.
  unique (case_id, reporter_id)
);
-- The reports of one learner, newest first.
create index report_reporter on report (reporter_id, id);
-- The deletion of old reports.
create index report_created on report (created_at);
-- The evidence about a learner whose account is deleted.
create index report_people on report using gin (messages jsonb_path_ops, statuses jsonb_path_ops);

-- A still of the camera, sent by the reporter.
create table report_still (
  report_id bigint primary key references report (id) on delete cascade,
  -- WebP, at most 640 by 360.
  image bytea not null,
  taken_at timestamptz not null
);

-- The whiteboard of the room at the time of the report, if the reporter asked for it.
create table report_board (
  report_id bigint primary key references report (id) on delete cascade,
  taken_at timestamptz not null,
  -- The elements that were not deleted, each with its author, as boards deliver them.
  elements json not null,
  -- The learners who made them, with their names of that time.
  authors jsonb not null
);
-- The evidence about a learner whose account is deleted.
create index report_board_authors on report_board using gin (authors jsonb_path_ops);

-- The pictures on such a whiteboard: they stay as long as it.
create table report_board_image (
  report_id bigint not null references report_board (report_id) on delete cascade,
  picture_id text not null references board_picture (id),
  primary key (report_id, picture_id)
);
-- The reports that have one picture.
create index report_board_image_picture on report_board_image (picture_id);

-- For boards: their pictures that reports keep, once for each report.
create view reported_picture as
  select picture_id from report_board_image;
