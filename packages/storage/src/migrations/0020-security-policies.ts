import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a session last showed a second factor, and which usernames look alike. */
export const securityPolicies: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statements).execute(db)
  },
}

/**
 * Letters that look like a Latin letter in a common font and that NFKC keeps: Cyrillic, Greek, Armenian, Cherokee, small
 * capitals. Upper and lower case are separate, because the look differs.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: '\u0410\u0430\u0391\u03b1\u0251\u1d00\u13aa',
  b: '\u0412\u0432\u042c\u044c\u0392\u03b2\u0184\u0185\u0299\u13fc',
  c: '\u0421\u0441\u03c2\u03f9\u1d04\u13df',
  d: '\u0500\u0501\u1d05\u13a0',
  e: '\u0415\u0435\u0395\u03b5\u1d07\u13ac',
  f: '\u03dc\u03dd\ua730',
  g: '\u050c\u050d\u0261\u0262\u0581\u13c0',
  h: '\u041d\u043d\u04ba\u04bb\u0397\u0570\u029c\u13bb',
  i: '\u0406\u0456\u04c0\u04cf\u0399\u03b9\u0131\u0269\u026a\u01c0\u029f\u053c\u056c\u13a5\u13de',
  j: '\u0408\u0458\u03f3\u0575\u1d0a\u13ab',
  k: '\u041a\u043a\u039a\u03ba\u1d0b\u13e6',
  m: '\u041c\u043c\u039c\u1d0d\u13b7',
  n: '\u043f\u039d\u03b7\u0578\u057c\u0274',
  o: '\u041e\u043e\u039f\u03bf\u03c3\u0555\u0585\u1d0f',
  p: '\u0420\u0440\u03a1\u03c1\u1d18\u13e2',
  q: '\u051a\u051b\u0563\u0566',
  r: '\u0433\u0280\u13a1',
  s: '\u0405\u0455\ua731\u13da',
  t: '\u0422\u0442\u03a4\u03c4\u1d1b\u13a2',
  u: '\u03bc\u03c5\u054d\u057d\u1d1c',
  v: '\u0474\u0475\u03bd\u028b\u1d20\u13d9',
  w: '\u0460\u0461\u051c\u051d\u03c9\u0561\u1d21\u13b3',
  x: '\u0425\u0445\u03a7\u03c7',
  y: '\u0423\u0443\u04ae\u04af\u03a5\u03b3\u028f\u13a9',
  z: '\u0396\u1d22\u13c3',
}

const from = Object.values(LOOK_ALIKES).join('')
const to = Object.entries(LOOK_ALIKES)
  .map(([letter, others]) => letter.repeat(others.length))
  .join('')

/** Shown as nothing: soft hyphen, joiners, Hangul fillers, variation selectors, direction marks. */
const INVISIBLE =
  '[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]'

/** `or replace`: a restore into a used database drops its tables, not its functions. */
const statements = `
  alter table session add column factor_at timestamptz;

  create or replace function username_skeleton(name text) returns text
    language sql immutable strict parallel safe
    return replace(replace(translate(lower(translate(
      regexp_replace(normalize(name, NFKC), '${INVISIBLE}', '', 'g'),
      '${from}', '${to}')), '01l|', 'oiii'), 'rn', 'm'), 'vv', 'w');

  create index user_username_skeleton on "user" (username_skeleton(username));
`
