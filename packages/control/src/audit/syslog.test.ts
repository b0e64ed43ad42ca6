import type { ExportedRecord } from '@tidegate/storage'
import { expect, it } from 'vitest'
import { startUdpCollector } from '../../test/syslog-collector.ts'
import { parseSyslogAddress, sendSyslog, syslogMessage } from './syslog.ts'

const record = (changes: Partial<ExportedRecord> = {}): ExportedRecord => ({
  id: 7,
  created_at: '2030-03-01T10:00:00.000001Z',
  actor_id: 1,
  token: '',
  action: 'user.disable',
  subject: '3',
  client_ip: '192.0.2.7',
  request_id: 'r',
  details: '{"name": "ü"}',
  seal: 2,
  day: '2030-03-01',
  previous_hash: 'aa',
  hash: 'bb',
  ...changes,
})

it('formats an event as an RFC 5424 message with the export line as text', () => {
  const [header, ...rest] = syslogMessage(record()).toString().split(' {"id"')

  expect(header).toMatch(/^<110>1 2030-03-01T10:00:00\.000001Z \S+ tidegate - user\.disable -$/)
  expect(JSON.parse(`{"id"${rest.join(' {"id"')}`)).toMatchObject({
    id: 7,
    details: { name: 'ü' },
    seal: { day: '2030-03-01', number: 2, previous_hash: 'aa', hash: 'bb' },
  })
})

it.each(['user.login_failed', 'user.forbidden', 'user.ip_not_allowed'])('marks %s as a warning', (action) => {
  expect(syslogMessage(record({ action })).toString()).toMatch(/^<108>1 /)
})

it('keeps the header well-formed for any action', () => {
  expect(syslogMessage(record({ action: `a b\n${'é'.repeat(40)}` })).toString()).toMatch(/ - a\?b\?\?{28} - {/)
})

it.each([
  ['udp://10.0.0.2:514', { protocol: 'udp', host: '10.0.0.2', port: 514 }],
  ['tls://siem.example:6514', { protocol: 'tls', host: 'siem.example', port: 6514 }],
  ['tcp://[2001:db8::7]:601', { protocol: 'tcp', host: '2001:db8::7', port: 601 }],
])('parses the address %s', (text, address) => {
  expect(parseSyslogAddress(text)).toEqual(address)
})

it('drops the details of an event that is too large for a datagram', async () => {
  const collector = await startUdpCollector()
  const large = record({ details: JSON.stringify({ text: 'x'.repeat(70_000) }) })

  await sendSyslog(parseSyslogAddress(collector.address), [large], new AbortController().signal)

  await expect.poll(() => collector.messages.length).toBe(1)
  expect(collector.messages[0]).toContain('"details":{},"seal":{')
  await collector.close()
})
