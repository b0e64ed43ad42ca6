import type { Settings } from './registry.ts'

export type SignInService = 'github' | 'oidc' | 'linuxdo' | 'wechat' | 'telegram'

/** Services people can sign in with right now, beside a password. */
export function openSignIns(settings: Settings): SignInService[] {
  const open: Record<SignInService, boolean> = {
    github: settings.GitHubOAuthEnabled,
    oidc: settings['oidc.enabled'],
    linuxdo: settings.LinuxDOOAuthEnabled,
    wechat: settings.WeChatAuthEnabled,
    telegram: settings.TelegramOAuthEnabled,
  }
  return (Object.keys(open) as SignInService[]).filter((service) => open[service])
}
