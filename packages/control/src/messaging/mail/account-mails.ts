import type { Language, Settings } from '@tidegate/contract'
import { plainParagraphs, type UserNotification } from '../notifications/notification.ts'
import { composeMail, type Mail } from './mail.ts'

interface Recipient {
  to: string
  language: Language
  settings: Pick<Settings, 'SystemName'>
}

/** The code that verifies an email address. */
export function verificationMail(reader: Recipient, code: string, minutes: number): Mail {
  const name = reader.settings.SystemName
  return composeLocalized(reader, {
    zh: {
      subject: `${name} 邮箱验证`,
      paragraphs: [
        `您正在 ${name} 验证邮箱，验证码为：`,
        `验证码 ${minutes} 分钟内有效。如果不是您本人操作，请忽略本邮件。`,
      ],
    },
    en: {
      subject: `${name} email verification`,
      paragraphs: [
        `You are verifying your email address at ${name}. Your code is:`,
        `It is valid for ${minutes} minutes. If you did not ask for it, ignore this mail.`,
      ],
    },
    code,
  })
}

/** Sent instead of a code, so that only the owner learns that the address is taken. */
export function addressTakenMail(reader: Recipient): Mail {
  const name = reader.settings.SystemName
  return composeLocalized(reader, {
    zh: {
      subject: `${name} 邮箱验证`,
      paragraphs: [
        `有人在 ${name} 请求验证本邮箱，但本邮箱已经属于一个账号（或已注销的账号），因此没有发送验证码。`,
        '如果是您本人操作，请直接登录或重置密码；否则请忽略本邮件。',
      ],
    },
    en: {
      subject: `${name} email verification`,
      paragraphs: [
        `There was a request at ${name} to verify this address. It already belongs to an account, or to one that was deregistered, so there is no code.`,
        'If it was you, log in or reset your password. If not, ignore this mail.',
      ],
    },
  })
}

export function resetLinkMail(reader: Recipient, link: string, minutes: number): Mail {
  const name = reader.settings.SystemName
  return composeLocalized(reader, {
    zh: {
      subject: `${name} 密码重置`,
      paragraphs: [
        `您正在重置 ${name} 的密码，请打开以下链接：`,
        `链接 ${minutes} 分钟内有效，只能使用一次。如果不是您本人操作，请忽略本邮件。`,
      ],
    },
    en: {
      subject: `${name} password reset`,
      paragraphs: [
        `You are resetting your password at ${name}. Open this link:`,
        `It is valid for ${minutes} minutes and works once. If you did not ask for it, ignore this mail.`,
      ],
    },
    link,
  })
}

/** Sent through the outbox: it holds no secret. */
export function passwordWasReset(siteName: string, language: Language): UserNotification {
  const { title, paragraphs } = {
    zh: {
      title: `${siteName} 密码已重置`,
      paragraphs: [
        `您在 ${siteName} 的密码刚刚通过邮件链接重置，所有设备均已退出登录，系统访问令牌和自动化令牌已全部吊销。`,
        '如果不是您本人操作，请立即再次重置密码，并检查您的邮箱是否安全。',
      ],
    },
    en: {
      title: `Your ${siteName} password was reset`,
      paragraphs: [
        `Your password at ${siteName} was just reset through a link from a mail; all sessions were ended, and the system access token and automation tokens were revoked.`,
        'If it was not you, reset it again at once and check who can read your mail.',
      ],
    },
  }[language]
  return { type: 'security_password_reset', title, ...plainParagraphs(paragraphs) }
}

type Wording = Record<Language, { subject: string; paragraphs: readonly string[] }> & { code?: string; link?: string }

function composeLocalized({ to, language, settings }: Recipient, { code, link, ...wording }: Wording): Mail {
  return composeMail({ ...wording[language], to, language, code, link, systemName: settings.SystemName })
}
