import type { User } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmailCodeField } from '../../../components/auth/email-code-field.tsx'
import { HumanCheckWidget, useHumanCheck } from '../../../components/auth/human-check.tsx'
import { useFieldErrors } from '../../../components/resource/use-field-errors.ts'
import { MoneyInput } from '../../../components/money-input.tsx'
import { formatBalance } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { Button, Form, Input, Radio } from '../../../ui/kit/index.ts'
import account from '../account.module.css'
import { useSaveSetting } from '../api.ts'
import { inDollars } from '../in-dollars.ts'
import { NOTIFY_TYPES, readSetting, type Setting } from '../setting.ts'
import { useUnsavedForm } from '../unsaved-forms.tsx'
import { changesOf, ERROR_FIELDS, needsCode, valuesOf, type NotificationValues } from './notification-values.ts'
import styles from './notifications.module.css'
import { TestNotification } from './test-notification.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { WebhookGuide } from './webhook-guide.tsx'

/** The balance that triggers a warning, and where the warning is sent. */
export function NotificationForm({ user }: { user: User }) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<NotificationValues>()
  const [saves, setSaves] = useState(0)
  const save = useSaveSetting({ showsErrors: true })
  const setting = readSetting(user.setting)
  const stored = valuesOf(setting)
  const type = Form.useWatch('notify_type', form) ?? setting.notify_type
  const changes = () => changesOf({ ...stored, ...(form.getFieldsValue(true) as Partial<NotificationValues>) }, setting)
  const showError = useFieldErrors(form, ERROR_FIELDS)
  useUnsavedForm(() => Object.keys(changes()).length > 0)

  // The server normalizes addresses, so the form shows the stored values after saving.
  const storedText = JSON.stringify(stored)
  useEffect(() => form.setFieldsValue(JSON.parse(storedText) as NotificationValues), [form, storedText])

  const submit = () => {
    if (save.isPending) return
    const changed = changes()
    if (Object.keys(changed).length === 0) return toast.info(t('unchanged'))
    save.mutate(changed, {
      onSuccess() {
        form.setFieldsValue({ webhook_secret: '', notification_email_code: '' })
        setSaves(saves + 1)
        toast.success(t('saved'))
      },
      onError: showError,
    })
  }
  return (
    <div className={styles.beside}>
      <Form<NotificationValues>
        form={form}
        className={account.form}
        layout="vertical"
        requiredMark={false}
        initialValues={stored}
        onFinish={submit}
        scrollToFirstError={{ focus: true, block: 'center' }}
      >
        <Form.Item<NotificationValues> name="notify_type" label={t('notices.type')}>
          <Radio.Group
            optionType="button"
            block={useIsPhone()}
            options={NOTIFY_TYPES.map((value) => ({ value, label: t(`notices.types.${value}`) }))}
          />
        </Form.Item>
        <ThresholdField />
        {type === 'email' ? (
          <EmailFields accountEmail={user.email} setting={setting} />
        ) : (
          <WebhookFields key={saves} isSecretSet={setting.webhook_secret_set} />
        )}
        <TestNotification type={type} savedAddress={setting.notification_email || user.email} onFieldError={showError}>
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            {common('save')}
          </Button>
        </TestNotification>
      </Form>
      {type === 'webhook' && <WebhookGuide />}
    </div>
  )
}

const PRESETS = [100_000, 500_000, 1_000_000, 5_000_000]

function ThresholdField() {
  const { t } = useTranslation('me')
  const form = Form.useFormInstance<NotificationValues>()
  const threshold = Form.useWatch('quota_warning_threshold', form)
  const hint = typeof threshold === 'number' ? t('notices.thresholdHint', { money: inDollars(threshold) }) : ' '
  return (
    <Form.Item label={t('notices.threshold')} htmlFor="quota_warning_threshold" extra={hint}>
      <Form.Item<NotificationValues>
        name="quota_warning_threshold"
        noStyle
        rules={[
          {
            validator: (_, value: unknown) =>
              typeof value === 'number' && Number.isSafeInteger(value) && value > 0
                ? Promise.resolve()
                : Promise.reject(new Error(t('notices.errors.threshold'))),
          },
        ]}
      >
        <MoneyInput id="quota_warning_threshold" className={account.wide} />
      </Form.Item>
      <fieldset className={styles.presets} aria-label={t('notices.presets')}>
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            size="small"
            onClick={() => form.setFields([{ name: 'quota_warning_threshold', value: preset, errors: [] }])}
          >
            {formatBalance(preset)}
          </Button>
        ))}
      </fieldset>
    </Form.Item>
  )
}

interface EmailFieldsProps {
  accountEmail: string
  setting: Setting
}

const EMAIL_ADDRESS = /^\s*[^\s@]+@[^\s@]+\s*$/

/** The address for warnings. Another address than that of the account is verified by a code. */
function EmailFields({ accountEmail, setting }: EmailFieldsProps) {
  const { t } = useTranslation('me')
  const form = Form.useFormInstance<NotificationValues>()
  const email = Form.useWatch('notification_email', form) ?? ''
  const hint = accountEmail ? t('notices.emailHint', { email: accountEmail }) : t('notices.emailMissing')
  return (
    <>
      <Form.Item<NotificationValues>
        name="notification_email"
        label={t('notices.email')}
        extra={hint}
        rules={[{ pattern: EMAIL_ADDRESS, message: t('notices.errors.email') }]}
      >
        <Input
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          {...(accountEmail && { placeholder: accountEmail })}
        />
      </Form.Item>
      {needsCode(email, accountEmail, setting) && <CodeField />}
    </>
  )
}

function CodeField() {
  const { t } = useTranslation('me')
  const check = useHumanCheck('bind')
  return (
    <>
      <EmailCodeField
        name="notification_email_code"
        emailName="notification_email"
        check={check}
        texts={{
          label: t('notices.code'),
          hint: t('notices.codeHint'),
          required: t('notices.errors.code'),
          send: t('notices.getCode'),
          sendAgain: (seconds) => t('notices.getCodeAgain', { seconds }),
          sent: t('notices.codeSent'),
        }}
      />
      <HumanCheckWidget check={check} />
    </>
  )
}
