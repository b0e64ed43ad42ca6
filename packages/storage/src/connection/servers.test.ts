import { expect, it } from 'vitest'
import { readServers } from './servers.ts'

it.each([
  ['postgres://u:p@db/site', [{ host: 'db', port: 5432 }], 'postgres://u:p@db/site'],
  ['postgresql://db:6432/site?sslmode=require', [{ host: 'db', port: 6432 }], undefined],
  ['postgres:///site?host=/run/postgresql', [{ host: '', port: 5432 }], undefined],
  ['postgres://u:p@ss@db/site', [{ host: 'db', port: 5432 }], undefined],
  [
    'postgres://u:p@a:6001,b,[::1]:6003/site?target_session_attrs=read-write',
    [
      { host: 'a', port: 6001 },
      { host: 'b', port: 5432 },
      { host: '::1', port: 6003 },
    ],
    'postgres://u:p@a:6001/site?target_session_attrs=read-write',
  ],
])('reads %s', (text, servers, url = text) => {
  expect(readServers(text)).toEqual({ servers, url })
})

it.each([
  'mysql://root@db/site',
  'postgres://a,,b/site',
  'postgres://a:port,b/site',
  'postgres://a,b/site?target_session_attrs=standby',
  'postgres://a:1:2,b/site',
  'a,b',
])('rejects %s', (text) => {
  expect(() => readServers(text)).toThrow()
})
