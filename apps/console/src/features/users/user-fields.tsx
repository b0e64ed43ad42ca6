import {
  DISPLAY_NAME_MAX_LENGTH,
  PASSWORD_LENGTH,
  SETTINGS_AREA_NAMES,
  USERNAME_MAX_LENGTH,
  type User,
  type UserDetail,
} from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../api/group-names.ts'
import { useSession } from '../../api/session.ts'
import { Money } from '../../components/money.tsx'
import { formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Button, Checkbox, Form, Input, Select } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import type { UserValues } from './user-values.ts'
import styles from './users.module.css'

const transform = (text: string) => text.trim()

export function NameFields() {
  const { t } = useTranslation('users')
  const first = useFirstFocus()
  return (
    <>
      <Form.Item<UserValues>
        name="username"
        label={t('form.username')}
        extra={t('form.usernameHint', { max: USERNAME_MAX_LENGTH })}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('problems.usernameBlank') },
          { max: USERNAME_MAX_LENGTH, transform, message: t('problems.usernameLong', { max: USERNAME_MAX_LENGTH }) },
          { pattern: /^[^@]*$/, message: t('problems.usernameSigns') },
        ]}
      >
        <Input ref={first} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item<UserValues>
        name="display_name"
        label={t('form.displayName')}
        extra={t('form.displayNameHint', { max: DISPLAY_NAME_MAX_LENGTH })}
        rules={[
          {
            max: DISPLAY_NAME_MAX_LENGTH,
            transform,
            message: t('problems.displayNameLong', { max: DISPLAY_NAME_MAX_LENGTH }),
          },
        ]}
      >
        <Input autoComplete="off" />
      </Form.Item>
    </>
  )
}

function usePasswordRules() {
  const { t } = useTranslation('users')
  const { min, max } = PASSWORD_LENGTH
  return [
    { min, message: t('problems.passwordShort', { min }) },
    { max, message: t('problems.passwordLong', { max }) },
  ]
}

export function PasswordField() {
  const { t } = useTranslation('users')
  const rules = usePasswordRules()
  return (
    <Form.Item<UserValues>
      name="password"
      label={t('form.password')}
      extra={t('form.passwordHint', PASSWORD_LENGTH)}
      validateFirst
      rules={[{ required: true, message: t('problems.passwordBlank') }, ...rules]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  )
}

/** A new password. Administrators need the current password to change their own. */
export function PasswordFields({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const rules = usePasswordRules()
  const isMe = useSession((session) => session.user?.id === user.id)
  const password = Form.useWatch<string | undefined>('password') ?? ''
  return (
    <>
      <Form.Item<UserValues>
        name="password"
        label={t('form.newPassword')}
        extra={t('form.newPasswordHint', PASSWORD_LENGTH)}
        rules={rules}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      {isMe && password !== '' && (
        <Form.Item<UserValues>
          name="original_password"
          label={t('form.originalPassword')}
          extra={t('form.originalPasswordHint')}
          rules={[{ required: true, message: t('problems.originalPasswordBlank') }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      )}
    </>
  )
}

/** The stored group may no longer exist, but can stay. */
export function GroupField({ stored }: { stored: string }) {
  const { t } = useTranslation('users')
  const groups = useQuery(groupNamesQuery)
  const names = [...new Set([stored, ...(groups.data ?? [])])]
  return (
    <Form.Item<UserValues> name="group" label={t('form.group')} extra={t('form.groupHint')}>
      <Select showSearch loading={groups.isPending} options={names.map((group) => ({ value: group, label: group }))} />
    </Form.Item>
  )
}

/** Read-only, with a button that adds an amount immediately. */
export function CurrentBalance({ quota, onTopUp }: { quota: number; onTopUp(): void }) {
  const { t } = useTranslation('users')
  return (
    <div className={styles.balance}>
      <dl>
        <dt>{t('topUp.before')}</dt>
        <dd>
          <Money quota={quota} />
        </dd>
      </dl>
      <Button onClick={onTopUp}>{t('actions.topUp')}</Button>
    </div>
  )
}

/** Settings that the super admin allows an administrator to change. */
export function AreaFields() {
  const { t } = useTranslation('users')
  return (
    <FormSection title={t('areas.title')} hint={t('areas.hint')}>
      <Form.Item<UserValues> name="settings_areas">
        <Checkbox.Group options={SETTINGS_AREA_NAMES.map((area) => ({ value: area, label: t(`areas.${area}`) }))} />
      </Form.Item>
    </FormSection>
  )
}

/** Linked accounts. Only the user links and unlinks them. */
export function Bindings({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const bound = {
    email: user.email,
    github: user.github_id,
    oidc: user.oidc_id,
    wechat: user.wechat_id,
    telegram: user.telegram_id,
    linuxdo: user.linux_do_id,
  }
  return (
    <FormSection title={t('form.bindings')} hint={t('form.bindingsHint')}>
      <div className={styles.facts}>
        <Facts
          facts={(Object.keys(bound) as (keyof typeof bound)[]).map((service) => ({
            term: t(`bindings.${service}`),
            value: bound[service] || <span className="secondary">{t('bindings.none')}</span>,
          }))}
        />
      </div>
    </FormSection>
  )
}

/** Requests so far, and invited users. */
export function UsageFacts({ user }: { user: UserDetail }) {
  const { t } = useTranslation('users')
  const { aff_code: code, inviter_id: inviter } = user
  return (
    <FormSection title={t('form.invites')}>
      <Facts
        facts={[
          { term: t('columns.used'), value: <Money quota={user.used_quota} /> },
          ...(user.owed_quota > 0 ? [{ term: t('invites.owed'), value: <Money quota={user.owed_quota} /> }] : []),
          { term: t('columns.requests'), value: <span className="number">{formatCount(user.request_count)}</span> },
          { term: t('invites.invited'), value: <span className="number">{formatCount(user.aff_count)}</span> },
          { term: t('invites.earned'), value: <Money quota={user.aff_history_quota} /> },
          { term: t('invites.transferable'), value: <Money quota={user.aff_quota} /> },
          {
            term: t('invites.inviter'),
            value: inviter > 0 ? <span className="number">#{inviter}</span> : <span className="secondary">–</span>,
          },
          {
            term: t('invites.code'),
            value: code && (
              <>
                <code className="mono">{code}</code> <CopyButton text={code} label={t('invites.copyCode')} />
              </>
            ),
          },
        ]}
      />
    </FormSection>
  )
}
