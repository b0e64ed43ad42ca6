/** Errors of options and of the configuration file. */
export const settingsErrors = {
  option_unknown: { status: 200, zh: '未知的设置项：{key}', en: 'There is no option named {key}.' },
  option_not_granted: {
    status: 403,
    zh: '你没有修改设置项 {key} 的权限，请联系超级管理员授权',
    en: 'You may not change the option {key}. Ask the super admin to grant its settings area.',
  },
  option_invalid: {
    status: 200,
    zh: '设置项 {key} 的值不合法：{reason}',
    en: 'The value of {key} is not valid: {reason}',
  },
  option_guard_needs: {
    status: 200,
    zh: '开启 {key} 之前请先填写：{missing}',
    en: 'Before turning {key} on, fill in: {missing}',
  },
  option_guard_in_use: {
    status: 200,
    zh: '{user} 已开启，不能清空 {key}',
    en: '{key} cannot be cleared while {user} is on.',
  },
  option_guard_modes_exclusive: {
    status: 200,
    zh: '自用模式与演示站点不能同时开启',
    en: 'Self-use mode and demo site cannot both be on.',
  },
  option_guard_fallback_mixed: {
    status: 200,
    zh: '请检查兜底倍率配置：固定价格与倍率不能同时设置',
    en: 'Check the fallback pricing: a price per call and ratios cannot both be set.',
  },
  option_guard_fallback_incomplete: {
    status: 200,
    zh: '请检查兜底倍率配置：请只填固定价格，或同时填写输入与补全倍率',
    en: 'Check the fallback pricing: set the price per call alone, or both ratios.',
  },
  option_guard_last_sign_in: {
    status: 200,
    zh: '不能关闭最后一种登录方式',
    en: 'This is the last way to sign in; it cannot be turned off.',
  },
  policy_needs_own_factor: {
    status: 200,
    zh: '请先为你自己的账号启用两步验证或通行密钥，否则你将无法使用控制台',
    en: 'Set up two-factor authentication or a passkey for your own account first. Otherwise you would lock yourself out.',
  },
  policy_excludes_own_address: {
    status: 200,
    zh: '列表不包含你当前的地址 {address}，保存后你将无法使用控制台',
    en: 'The list does not contain your address {address}. Add it, or you would lock yourself out.',
  },
  egress_not_allowed: {
    status: 200,
    zh: '不允许连接 {host}：它不在 TIDEGATE_EGRESS_ALLOW 的允许列表中',
    en: 'Connections to {host} are not allowed. Add it to TIDEGATE_EGRESS_ALLOW or use another address.',
  },
  option_change_not_found: { status: 200, zh: '没有这条修改记录', en: 'There is no such change.' },
  option_change_secret: {
    status: 200,
    zh: '{key} 是密钥，历史记录里不保存它的值，无法恢复',
    en: '{key} is a secret: its values are not kept, so it cannot be set back.',
  },
  option_change_without_before: {
    status: 200,
    zh: '这条记录没有保存 {key} 修改前的值，无法恢复',
    en: 'This change does not say what {key} was before, so it cannot be set back.',
  },

  config_file_invalid: {
    status: 200,
    zh: '配置文件有 {count} 处问题，没有做任何修改。\n{list}',
    en: 'The configuration file has problems ({count}); nothing was changed.\n{list}',
  },
  config_changed_meanwhile: {
    status: 200,
    zh: '站点设置在此期间有变化，请重新查看将要做的修改',
    en: 'The site has changed in the meantime. Look at the plan again.',
  },

  channel_not_found: { status: 200, zh: '渠道不存在', en: 'The channel does not exist.' },
} as const
