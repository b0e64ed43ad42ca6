import { DatabaseSync } from 'node:sqlite'

/** What a user of the old site knows. */
export const OLD = {
  password: 'correct horse 42',
  key: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST01',
  quota: 1_234_567,
  remain: 900_000,
} as const

/** Hash of the password above, as products written in Go store it. */
const HASH = '$2a$10$axyhcIg./AoHFHnjURRMIe0gzE9tTjhvf5bPPMdQDvHnZ5lD9x80u'

/** Writes a small one-api SQLite database with a channel to the upstream. */
export function writeOneApiDatabase(path: string, upstreamUrl: string): void {
  const database = new DatabaseSync(path)
  database.exec(`
    create table users (id integer primary key, username text, password text, display_name text, role integer,
      status integer, email text, github_id text, access_token char(32), quota integer, used_quota integer,
      request_count integer, "group" text, aff_code text, inviter_id integer);
    create table tokens (id integer primary key, user_id integer, key char(48), status integer, name text,
      created_time integer, accessed_time integer, expired_time integer, remain_quota integer, unlimited_quota numeric,
      used_quota integer, models text, subnet text);
    create table channels (id integer primary key, type integer, key text, status integer, name text, weight integer,
      base_url text, other text, models text, "group" text, model_mapping text, priority integer, config text);
    create table options (key text primary key, value text);
    insert into options values ('SystemName', '潮汐'), ('QuotaForNewUser', '500');
  `)
  const user = database.prepare(`insert into users (id, username, password, display_name, role, status, email, quota,
    used_quota, request_count, "group", aff_code) values (?, ?, ?, ?, ?, 1, ?, ?, 0, 0, 'default', ?)`)
  user.run(1, 'root', HASH, 'Root User', 100, '', 500_000, 'r1')
  user.run(2, '林小雨', HASH, '小雨', 1, 'lin@example.com', OLD.quota, 'l2')
  database
    .prepare(`insert into tokens (id, user_id, key, status, name, expired_time, remain_quota, unlimited_quota)
      values (7, 2, ?, 1, '工作', -1, ?, 0)`)
    .run(OLD.key, OLD.remain)
  database
    .prepare(`insert into channels (id, type, key, status, name, weight, base_url, models, "group", priority)
      values (3, 1, 'sk-up-one' || char(10) || 'sk-up-two', 1, '主渠道', 1, ?, 'gpt-4o,gpt-4o-mini', 'default', 0)`)
    .run(upstreamUrl)
  database.close()
}
