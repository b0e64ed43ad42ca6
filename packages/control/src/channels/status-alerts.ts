import type { BilingualNotice } from '../messaging/notifications/notification.ts'

interface Named {
  id: number
  name: string
}

type StatusNotice = Omit<BilingualNotice, 'type'>

export function describeDisabled({ id, name }: Named, reason: string): StatusNotice {
  return {
    title: {
      zh: `渠道「${name}」（#${id}）已被自动禁用`,
      en: `Channel "${name}" (#${id}) was disabled automatically`,
    },
    content: {
      zh: '渠道「{{value}}」（#{{value}}）已被自动禁用，原因：{{value}}',
      en: 'Channel "{{value}}" (#{{value}}) was disabled automatically. Reason: {{value}}',
    },
    values: [name, String(id), reason],
  }
}

export function describeDisabledKey({ id, name }: Named, reason: string, left: number): StatusNotice {
  return {
    title: {
      zh: `渠道「${name}」（#${id}）的一个密钥已被自动禁用`,
      en: `A key of channel "${name}" (#${id}) was disabled automatically`,
    },
    content: {
      zh: '渠道「{{value}}」（#{{value}}）的一个密钥已被自动禁用，还剩 {{value}} 个可用密钥。原因：{{value}}',
      en: 'A key of channel "{{value}}" (#{{value}}) was disabled automatically; {{value}} are left. Reason: {{value}}',
    },
    values: [name, String(id), String(left), reason],
  }
}

export function describeEnabled({ id, name }: Named): StatusNotice {
  return {
    title: {
      zh: `渠道「${name}」（#${id}）已恢复启用`,
      en: `Channel "${name}" (#${id}) is back in use`,
    },
    content: {
      zh: '渠道「{{value}}」（#{{value}}）通过测试，已恢复启用。',
      en: 'Channel "{{value}}" (#{{value}}) passed its test and is back in use.',
    },
    values: [name, String(id)],
  }
}
