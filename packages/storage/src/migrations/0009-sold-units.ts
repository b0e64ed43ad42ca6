import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What was sold by price and group, in units that other prices can be put to. That is known from here on only: what was
 * sold before is carried over without a price's name, so that this sum says what the others say.
 */
export const soldUnits: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(soldDay).execute(db)
  },
}

const soldDay = `
  create table sold_day (
    day date not null,
    price_name text not null,
    "group" text not null,
    shard smallint not null,
    requests bigint not null,
    quota bigint not null,
    calls bigint not null,
    pieces double precision not null,
    input bigint not null,
    cache_read bigint not null,
    cache_write bigint not null,
    cache_write_1h bigint not null,
    audio_in bigint not null,
    output bigint not null,
    audio_out bigint not null,
    primary key (day, price_name, "group", shard)
  );
  insert into sold_day
    select day, '', "group", 0, sum(requests), sum(quota), 0, 0, 0, 0, 0, 0, 0, 0, 0
    from site_day group by day, "group";
`
