import { quote, type Notice } from './notify-root.ts'

interface Named {
  id: number
  name: string
}

export function describeDisabled(channel: Named, reason: string): Notice {
  const name = quote(channel.name)
  return {
    title: {
      zh: `渠道「${channel.name}」（#${channel.id}）已被自动禁用`,
      en: `Channel "${channel.name}" (#${channel.id}) was disabled automatically`,
    },
    content: {
      zh: `渠道「${name}」（#${channel.id}）已被自动禁用，原因：${quote(reason)}`,
      en: `Channel "${name}" (#${channel.id}) was disabled automatically. Reason: ${quote(reason)}`,
    },
  }
}

export function describeDisabledKey(channel: Named, reason: string, left: number): Notice {
  const name = quote(channel.name)
  return {
    title: {
      zh: `渠道「${channel.name}」（#${channel.id}）的一个密钥已被自动禁用`,
      en: `A key of channel "${channel.name}" (#${channel.id}) was disabled automatically`,
    },
    content: {
      zh: `渠道「${name}」（#${channel.id}）的一个密钥已被自动禁用，还剩 ${left} 个可用密钥。原因：${quote(reason)}`,
      en: `A key of channel "${name}" (#${channel.id}) was disabled automatically; ${left} are left. Reason: ${quote(reason)}`,
    },
  }
}

export function describeEnabled(channel: Named): Notice {
  const name = quote(channel.name)
  return {
    title: {
      zh: `渠道「${channel.name}」（#${channel.id}）已恢复启用`,
      en: `Channel "${channel.name}" (#${channel.id}) is back in use`,
    },
    content: {
      zh: `渠道「${name}」（#${channel.id}）通过测试，已恢复启用。`,
      en: `Channel "${name}" (#${channel.id}) passed its test and is back in use.`,
    },
  }
}
