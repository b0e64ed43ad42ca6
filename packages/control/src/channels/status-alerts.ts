import { channelAlerts, type Db } from '@tidegate/storage'
import type { LocalizedNotification } from '../messaging/notifications/notification.ts'
import { notifyRoot } from '../messaging/outbox/enqueue.ts'

const QUIET_MINUTES = 10

interface ChannelName {
  id: number
  name: string
}

type StatusAlert = Omit<LocalizedNotification, 'type'>

export function describeDisabled({ id, name }: ChannelName, reason: string): StatusAlert {
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

export function describeDisabledKey({ id, name }: ChannelName, reason: string, left: number): StatusAlert {
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

export function describeEnabled({ id, name }: ChannelName): StatusAlert {
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

/**
 * Alerts the super admin about a channel, once per status within a few minutes, so that a flapping channel does not
 * flood the inbox.
 */
export async function alertRootOfChannel(
  transaction: Db,
  { channelId, status }: { channelId: number; status: number },
  notification: Omit<LocalizedNotification, 'type'>,
): Promise<void> {
  if (!(await channelAlerts.claim(transaction, { channelId, status }, QUIET_MINUTES))) return
  await notifyRoot(transaction, { type: `channel_update_${channelId}_${status}`, ...notification })
}
