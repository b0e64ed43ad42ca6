import type { BilingualNotice } from '../messaging/notifications/notification.ts'

/** The alert for the super admin when there are many failures. */
export function authFailureAlert(threshold: number): BilingualNotice {
  return {
    type: 'auth_failures',
    title: { zh: '登录失败次数过多', en: 'Many failed sign-ins' },
    content: {
      zh: '一小时内登录、二次验证、重新验证失败或被拒绝的调用超过 {{value}} 次。请在审计日志中按操作“登录失败”等筛选，查看来源地址和账号。',
      en: 'More than {{value}} sign-ins, second factors, re-authentications or forbidden calls failed within an hour. See the audit trail for accounts and addresses.',
    },
    values: [String(threshold)],
  }
}
