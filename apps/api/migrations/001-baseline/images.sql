-- Every stored profile picture. One that nobody has is deleted some time after its last use.
create table image (
  -- As `users.profile_image` names it.
  address text primary key,
  -- When it was uploaded or chosen last.
  used_at timestamptz not null,
  -- Since when its bytes are being removed, which no transaction holds: until the row is deleted, or for some
  -- seconds, an upload of the same picture waits. A process that is killed meanwhile leaves the row, and the
  -- bytes are removed again.
  removing_since timestamptz
);
-- The sweep of pictures that have not been used lately.
create index image_used on image (used_at);
