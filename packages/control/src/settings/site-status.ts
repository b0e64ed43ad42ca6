import type { api, Settings } from '@tidegate/contract'
import { setup } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

export async function siteStatus({ db, catalog, site }: Pick<Deps, 'db' | 'catalog' | 'site'>): Promise<api.Status> {
  return {
    version: site.version,
    start_time: Math.floor(site.startTime.getTime() / 1000),
    setup: await setup.isDone(db),
    ...publicSettings(catalog().settings),
  }
}

function publicSettings(settings: Settings) {
  const chatLinks = settings.Chats.flatMap((chat) => Object.values(chat))
  return {
    system_name: settings.SystemName,
    logo: settings.Logo,
    footer_html: settings.Footer,
    trusted_html_enabled: settings['content.trusted_html_enabled'],
    announcement_modal_enabled: settings['content.announcement_modal_enabled'],
    server_address: settings.ServerAddress,
    docs_link: settings['general_setting.docs_link'],
    top_up_link: settings.TopUpLink,
    quota_per_unit: settings.QuotaPerUnit,
    display_in_currency: settings.DisplayInCurrencyEnabled,
    enable_drawing: settings.DrawingEnabled,
    enable_task: settings.TaskEnabled,
    enable_user_exports: settings.UserExportsEnabled,
    enable_data_export: settings.DataExportEnabled,
    data_export_default_time: settings.DataExportDefaultTime,
    default_collapse_sidebar: settings.DefaultCollapseSidebar,
    mj_notify_enabled: settings.MjNotifyEnabled,
    enable_batch_update: false,
    chats: [...settings.Chats],
    chat_link: chatLinks[0] ?? '',
    chat_link2: chatLinks[1] ?? '',
    price: settings.Price,
    min_topup: settings.MinTopUp,
    enable_online_topup: [settings.PayAddress, settings.EpayId, settings.EpayKey].every((value) => value !== ''),
    aff_enabled: settings.AffEnabled,
    check_in_enabled: settings.CheckInEnabled,
    checkin_enabled: settings.CheckInEnabled,
    log_chat_content_enabled: settings.LogChatContentEnabled,
    demo_site_enabled: settings.DemoSiteEnabled,
    self_use_mode_enabled: settings.SelfUseModeEnabled,
    password_login: settings.PasswordLoginEnabled,
    register_enabled: settings.RegisterEnabled,
    password_register: settings.PasswordRegisterEnabled,
    signup_quota: settings.QuotaForNewUser,
    email_verification: settings.EmailVerificationEnabled,
    turnstile_check: settings.TurnstileCheckEnabled,
    turnstile_site_key: settings.TurnstileSiteKey,
    github_oauth: settings.GitHubOAuthEnabled,
    github_client_id: settings.GitHubClientId,
    oidc_enabled: settings['oidc.enabled'],
    oidc_client_id: settings['oidc.client_id'],
    oidc_authorization_endpoint: settings['oidc.authorization_endpoint'],
    linuxdo_oauth: settings.LinuxDOOAuthEnabled,
    linuxdo_client_id: settings.LinuxDOClientId,
    linuxdo_minimum_trust_level: settings.LinuxDOMinimumTrustLevel,
    wechat_login: settings.WeChatAuthEnabled,
    wechat_qrcode: settings.WeChatAccountQRCodeImageURL,
    telegram_oauth: settings.TelegramOAuthEnabled,
    telegram_bot_name: settings.TelegramBotName,
  }
}

/** Public address of the site, for links and callbacks; never the Host header of a request. */
export function serverAddress({ ServerAddress }: Pick<Settings, 'ServerAddress'>): string {
  return ServerAddress || 'http://localhost:3000'
}
