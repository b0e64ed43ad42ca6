/** An address that is private or otherwise off limits. */
interface HostileAddress {
  readonly name: string
  readonly url: string
}

/** Names of the fake network that resolve to private addresses. */
export const INSIDE_NAMES = {
  '127.0.0.1.wildcard.example': ['127.0.0.1'],
  'loopback.example': ['127.0.0.2'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zero.example': ['0.0.0.0'],
  'several.example': ['127.0.0.1', '::1', '127.0.0.2'],
  'metadata.example': ['169.254.169.254'],
  'office.example': ['10.0.0.1', 'fd00::1'],
} as const

const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'this machine': ['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
  'other notations of 127.0.0.1': [
    '2130706433',
    '0x7f000001',
    '0X7F000001',
    '017700000001',
    '0177.0.0.1',
    '0177.0000.0000.0001',
    '0x7f.0x0.0x0.0x1',
    '0x7f.0.0.01',
    '0177.1',
    '0x7f.1',
    '127.1',
    '127.0.1',
    '0',
    '0x0',
    '00000177.0.0.1',
  ],
  'trailing dots': ['127.0.0.1.', '2130706433.', '127.1.', '127.0.0.1..', 'localhost.', 'localhost..'],
  'IPv4 inside IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0002]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[2001:0:7f00:1::]',
    '[::ffff:0.0.0.0]',
  ],
  'a zone': ['[::1%25lo]', '[::1%lo]', '[fe80::1%25lo]', '[fe80::1%lo]', '[::ffff:127.0.0.1%25lo]'],
  'user names before the host': [
    'pictures.example@127.0.0.1',
    'pictures.example:80@127.0.0.1',
    'user:word@[::1]',
    'a@b@127.0.0.1',
    'pictures.example%40127.0.0.1',
    `${'u'.repeat(20_000)}@127.0.0.1`,
  ],
  'characters that normalize to others': [
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '١٢٧.٠.٠.١',
    '２１３０７０６４３３',
    '０ｘ７ｆ.１',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc\u00adalhost',
    'local\u200bhost',
    'localhoſt',
  ],
  'percent signs': [
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '%6c%6f%63%61lhost',
    '127.0.0.1%00.pictures.example',
    '127.0.0.1%2f.pictures.example',
    '127.0.0.1%09',
    '%5b::1%5d',
    '%2531.0.0.1',
  ],
  'a name of this machine': [
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'app.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'ip6-loopback',
    'intranet',
  ],
  'cloud metadata services': [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
    '[fe80::a9fe:a9fe]',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'metadata.google.internal',
  ],
  'private networks': [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.2.2',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[fc00::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
  ],
  'white space': ['127.0.0.1\t', '127.0.\n0.1', '\t127.0.0.1', '127.0.0.1 ', '127.0.0.1\r\n', '\u0000127.0.0.1'],
  'a backslash': ['127.0.0.1\\@pictures.example', '127.0.0.1\\.pictures.example', '\\127.0.0.1'],
  'overlong hosts': [`${'a'.repeat(300)}.example`, `${'a.'.repeat(20_000)}example`, `${'0'.repeat(5_000)}177.0.0.1`],
}

/** Addresses for a scheme and a port such as `:8080`; empty means the default port. */
export function hostileAddresses(scheme: 'http' | 'https', port: string): HostileAddress[] {
  const byHost = Object.entries(HOSTS).flatMap(([kind, hosts]) =>
    hosts.map((host) => ({ name: `${kind}: ${printable(host)}`, url: `${scheme}://${host}${port}/latest/meta-data` })),
  )
  const byForm = forms(scheme, port).map((url) => ({ name: `its form: ${printable(url)}`, url }))
  return [...byHost, ...byForm]
}

/** Addresses that can be recognized only by resolving their names. */
export function hostileNames(scheme: 'http' | 'https', port: string): HostileAddress[] {
  return Object.keys(INSIDE_NAMES).map((name) => ({ name: `a name: ${name}`, url: `${scheme}://${name}${port}/x` }))
}

function forms(scheme: string, port: string): string[] {
  const here = `127.0.0.1${port}`
  return [
    `${scheme}:${here}/`,
    `${scheme}:/${here}/`,
    `${scheme}:///${here}/`,
    `${scheme}:\\\\${here}\\`,
    `${scheme}:/\\${here}/`,
    `${scheme}://${here}#@pictures.example/`,
    `${scheme}://${here}?@pictures.example/`,
    `${scheme}://${here}/..%2f..%2f@pictures.example`,
    ` ${scheme}://${here}/`,
    `\t${scheme}://${here}/`,
    `${scheme.slice(0, 2)}\n${scheme.slice(2)}://${here}/`,
    `${scheme.toUpperCase()}://${here}/`,
    `${scheme}://127.0.0.1:0/`,
    `${scheme}://127.0.0.1:65536/`,
    `${scheme}://127.0.0.1:-1/`,
    `${scheme}://127.0.0.1${port || ':443'}:80/`,
    `${scheme}://127.0.0.1:000${(port || ':443').slice(1)}/`,
    `${scheme}://`,
    `${scheme}://[::1/`,
    `//${here}/`,
    here,
    '/etc/passwd',
    'file:///etc/passwd',
    `file://${here}/etc/passwd`,
    `gopher://${here}/_GET%20/`,
    `ftp://${here}/a.png`,
    `dict://${here}/stat`,
    `ldap://${here}/`,
    `ws://${here}/`,
    `sftp://${here}/`,
    `jar:${scheme}://${here}/!/a.png`,
    `view-source:${scheme}://${here}/`,
    `blob:${scheme}://${here}/1`,
    `unix:///var/run/docker.sock`,
    `http+unix://%2Fvar%2Frun%2Fdocker.sock/info`,
    `javascript:fetch('${scheme}://${here}/')`,
    `data:text/html,<img src="${scheme}://${here}/">`,
    `data:image/svg+xml,<image href="${scheme}://${here}/"/>`,
    'data:image/png',
    'about:blank',
  ]
}

function printable(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return escaped.length > 60 ? `${escaped.slice(0, 40)}… (${text.length} characters)` : escaped
}

const CONCURRENCY = 8

/** Tries every address and returns those with an unexpected result. */
export async function findUnexpected<Result>(
  addresses: readonly HostileAddress[],
  attempt: (url: string) => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<{ name: string; result: Result }[]> {
  const found: { name: string; result: Result }[] = []
  const waiting = [...addresses]
  const tryInTurn = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const result = await attempt(next.url)
      if (!isExpected(result)) found.push({ name: next.name, result })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, tryInTurn))
  return found
}
