import type { User } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { Button, Form, Radio } from '../../../ui/kit/index.ts'
import me from '../account.module.css'
import { useSaveSetting } from '../queries.ts'
import { NOTIFY_TYPES, readSetting } from '../setting.ts'
import { useUnsavedForm } from '../unsaved-forms.tsx'
import { EmailFields } from './email-fields.tsx'
import { changesOf, FIELD_OF_REFUSAL, valuesOf, type NoticeValues } from './notice-values.ts'
import { TestNotice } from './test-notice.tsx'
import { ThresholdField } from './threshold-field.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { WebhookGuide } from './webhook-guide.tsx'
import styles from './notices.module.css'

/** When a person is told that the balance runs low, and how. */
export function NotificationForm({ user }: { user: User }) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<NoticeValues>()
  const [saves, setSaves] = useState(0)
  const save = useSaveSetting({ showsErrors: true })
  const setting = readSetting(user.setting)
  const stored = valuesOf(setting)
  const type = Form.useWatch('notify_type', form) ?? setting.notify_type
  const changes = () => changesOf({ ...stored, ...(form.getFieldsValue(true) as Partial<NoticeValues>) }, setting)
  useUnsavedForm(() => Object.keys(changes()).length > 0)

  // The server writes addresses in its own way: the form shows what it made of them.
  const storedText = JSON.stringify(stored)
  useEffect(() => form.setFieldsValue(JSON.parse(storedText) as NoticeValues), [form, storedText])

  const submit = () => {
    if (save.isPending) return
    const wanted = changes()
    if (Object.keys(wanted).length === 0) return toast.info(t('unchanged'))
    save.mutate(wanted, {
      onSuccess() {
        form.setFieldsValue({ webhook_secret: '', notification_email_code: '' })
        setSaves(saves + 1)
        toast.success(t('saved'))
      },
      onError: explain,
    })
  }
  const explain = (error: Error) => {
    const field = error instanceof ApiError ? FIELD_OF_REFUSAL[error.code] : undefined
    if (!field) return toast.error(errorText(error))
    form.setFields([{ name: field, errors: [errorText(error)] }])
    form.scrollToField(field, { focus: true, block: 'center' })
  }
  return (
    <div className={styles.beside}>
      <Form<NoticeValues>
        form={form}
        className={me.form}
        layout="vertical"
        requiredMark={false}
        initialValues={stored}
        onFinish={submit}
        scrollToFirstError={{ focus: true, block: 'center' }}
      >
        <Form.Item<NoticeValues> name="notify_type" label={t('notices.type')}>
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
        <TestNotice type={type} savedAddress={setting.notification_email || user.email} onRefused={explain}>
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            {common('save')}
          </Button>
        </TestNotice>
      </Form>
      {type === 'webhook' && <WebhookGuide />}
    </div>
  )
}
