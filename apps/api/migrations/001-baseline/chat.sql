-- The last number that was given to a message of a gathering.
create table chat_counter (
  room_id bigint not null references study_room (id),
  epoch integer not null,
  last_number bigint not null,
  primary key (room_id, epoch)
) with (fillfactor = 70);

-- No foreign keys: a message is written often, and is deleted with its account by statements of its own.
create table chat_message (
  room_id bigint not null,
  epoch integer not null,
  number bigint not null,
  sender_id bigint not null,
  -- The sender's own name for the message.
  client_id text not null,
  content text not null,
  -- Of the sender when it was sent.
  nickname text not null,
  profile_image text not null,
  sent_at timestamptz not null,
  primary key (room_id, epoch, number)
);
-- A message that is sent again is stored once. Also the messages of one learner.
create unique index chat_message_client on chat_message (sender_id, client_id);
-- The deletion of old messages: rows stand in the order of time, so a few bytes for many rows are enough.
create index chat_message_sent on chat_message using brin (sent_at);

-- For blocks: the authors in each gathering, once for each message.
create view chat_author as
  select room_id, epoch, sender_id as user_id from chat_message;
