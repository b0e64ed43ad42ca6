/** Errors of user administration and of own accounts. */
export const userErrors = {
  rank_read: {
    status: 200,
    zh: '无权查看同级或更高级别的用户',
    en: 'You cannot read users of your level or above.',
  },
  rank_update: {
    status: 200,
    zh: '无权更新同级或更高级别的用户',
    en: 'You cannot update users of your level or above.',
  },
  rank_delete: {
    status: 200,
    zh: '无权删除同级或更高级别的用户',
    en: 'You cannot delete users of your level or above.',
  },
  rank_create: {
    status: 200,
    zh: '无法创建同级或更高级别的用户',
    en: 'You cannot create users of your level or above.',
  },
  rank_raise: {
    status: 200,
    zh: '无权将用户提升到同级或更高级别',
    en: 'You cannot raise a user to your level or above.',
  },
  only_root_promotes: {
    status: 200,
    zh: '普通管理员无法提升其他用户为管理员',
    en: 'Only the super admin can make an administrator.',
  },
  root_protected: {
    status: 200,
    zh: '不能禁用、删除、降级超级管理员，或清除其两步验证',
    en: 'The super admin cannot be disabled, deleted or demoted, nor lose second factors to a reset.',
  },
  areas_need_admin: {
    status: 200,
    zh: '只能向普通管理员授予设置权限',
    en: 'Settings areas can be granted to administrators only.',
  },
  already_admin: { status: 200, zh: '该用户已经是管理员', en: 'The user is an administrator already.' },
  already_common: { status: 200, zh: '该用户已经是普通用户', en: 'The user is an ordinary user already.' },
  target_deregistered: {
    status: 200,
    zh: '该用户已注销，请先恢复',
    en: 'The user was deregistered. Restore the account first.',
  },
  target_not_deregistered: { status: 200, zh: '该用户并未注销', en: 'The user was not deregistered.' },
  email_in_use: {
    status: 200,
    zh: '该用户的邮箱已被其他账户使用',
    en: 'Another account uses the email address of this user.',
  },
  username_changed_recently: {
    status: 200,
    zh: '用户名每 {days} 天只能修改一次',
    en: 'The username can be changed once in {days} days.',
  },
  original_password_required: {
    status: 200,
    zh: '请输入当前密码，或重新登录后再试',
    en: 'Enter your current password, or log in again first.',
  },
  original_password_wrong: { status: 200, zh: '当前密码错误', en: 'The current password is wrong.' },
  account_name_differs: {
    status: 200,
    zh: '请输入你的账户名以确认删除！',
    en: 'Enter your account name to confirm.',
  },
  session_not_found: { status: 200, zh: '会话不存在', en: 'There is no such session.' },
} as const
