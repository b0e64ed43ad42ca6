import * as fc from 'fast-check'

/** JSON that `JSON.stringify` cannot produce. It is put into a body unchanged. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const DEEP = 10_000

/** Strings that have broken servers before. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\u202Etxt.exe',
  'ﷺ'.repeat(200),
  'e' + '\u0301'.repeat(500),
  'a'.repeat(5_000),
  'a'.repeat(200_000),
  '0',
  '-1',
  '1e309',
  'NaN',
  'Infinity',
  '-0',
  '00000001',
  '9223372036854775808',
  '-9223372036854775809',
  '0x7fffffff',
  'true',
  'null',
  'undefined',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '\'; drop table "user"; --',
  "' or '1'='1",
  '1); select pg_sleep(5); --',
  '%',
  '_%_\\',
  '$1',
  '\\x00',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  'x\r\nSet-Cookie: forged=1',
  'x\nX-Forged: 1',
  '../../../../etc/passwd',
  '..\\..\\windows',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:1/',
  'javascript:alert(1)',
  'data:text/html,x',
  '2026-13-45T99:99:99Z',
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '[',
  '=cmd|calc!A0',
  '😀'.repeat(300),
]

/** Values of a wrong type, size or sign, and keys that reach the prototype. */
const HOSTILE_OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  0.1 + 0.2,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e300,
  -1e300,
  5e-324,
  new RawJson('1e999'),
  new RawJson('-1e999'),
  new RawJson('123456789012345678901234567890'),
  new RawJson('{"__proto__":{"role":100,"isAdmin":true}}'),
  new RawJson('{"constructor":{"prototype":{"role":100}}}'),
  new RawJson('{"toString":null,"valueOf":1,"then":{},"toJSON":"x"}'),
  new RawJson('{"length":1e9}'),
  new RawJson('{"a":1,"a":2,"a":{"a":3}}'),
  new RawJson('['.repeat(DEEP) + ']'.repeat(DEEP)),
  new RawJson('{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP)),
  [],
  [[]],
  [null],
  [''],
  ['a', 1, null, {}],
  Array.from({ length: 5_000 }, (_, index) => index),
  {},
  { '': '' },
  { $ne: null },
  { $gt: '' },
  { id: { id: { id: 1 } } },
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_OTHERS) },
  { weight: 3, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
)

/** Writes a value as JSON with its raw parts unchanged. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${writeJson(inner)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
