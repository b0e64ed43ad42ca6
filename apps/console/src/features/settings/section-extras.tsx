import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUnitText } from './option-names.ts'
import { errorText } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { formatCount, formatExactTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Alert, App, Button, DatePicker, Form, Input } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import { useCleanLogs, useDiscoverOidc, useSendTestMail } from './api.ts'
import type { FormValues } from './option-values.ts'
import styles from './settings.module.css'

/** Deletes log rows before a time, after a confirmation. */
export function CleanLogs() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const id = useId()
  const clean = useCleanLogs()
  const [until, setUntil] = useState<Dayjs | null>(() => dayjs().subtract(1, 'month').startOf('day'))
  const confirm = () => {
    if (!until) return toast.info(t('cleanUp.needsTime'))
    modal.confirm({
      title: t('cleanUp.confirmTitle', { time: formatExactTime(until.unix()) }),
      content: t('cleanUp.confirmText'),
      okText: t('cleanUp.action'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      // The query client shows errors.
      onOk: () =>
        clean.mutateAsync(until.unix()).then(
          (count) => toast.success(t('cleanUp.done', { count })),
          () => {},
        ),
    })
  }
  return (
    <div className={styles.extra}>
      <h3>{t('cleanUp.title')}</h3>
      <p className={styles.help}>{t('cleanUp.hint')}</p>
      <div className={styles.line}>
        <label htmlFor={id}>{t('cleanUp.until')}</label>
        <DatePicker
          id={id}
          showTime
          value={until}
          onChange={(next: Dayjs | null) => setUntil(next)}
          disabledDate={(day: Dayjs) => day.isAfter(dayjs())}
        />
        <Button danger onClick={confirm}>
          {t('cleanUp.action')}
        </Button>
      </div>
    </div>
  )
}

/** Sends a test mail with the saved settings and shows the response of the mail server. */
export function TestMail() {
  const { t } = useTranslation('settings')
  const send = useSendTestMail()
  const email = useSession(({ user }) => user?.email) ?? ''
  return (
    <div className={styles.extra}>
      <h3>{t('mail.title')}</h3>
      <p className={styles.help}>{t('mail.hint')}</p>
      <Form<{ to: string }>
        className={styles.line}
        layout="vertical"
        requiredMark={false}
        initialValues={{ to: email }}
        onFinish={({ to }) => send.mutate(to.trim())}
      >
        <Form.Item
          name="to"
          label={t('mail.to')}
          validateTrigger="onBlur"
          rules={[
            { required: true, message: t('errors.email') },
            { type: 'email', message: t('errors.email'), transform: (to: string) => to.trim() },
          ]}
        >
          <Input autoComplete="email" />
        </Form.Item>
        <Button htmlType="submit" loading={send.isPending}>
          {t('mail.send')}
        </Button>
      </Form>
      {send.data && (
        <Alert
          type={send.data.sent ? 'success' : 'error'}
          showIcon
          title={
            send.data.sent ? t('mail.sent', { to: send.variables }) : t('mail.failed', { problem: send.data.problem })
          }
        />
      )}
    </div>
  )
}

/** Fills in the endpoints from the discovery document. They are saved with the section. */
export function DiscoverOidc({ onFilled }: { onFilled(): void }) {
  const { t } = useTranslation('settings')
  const form = Form.useFormInstance<FormValues>()
  const discover = useDiscoverOidc()
  const wellKnown = Form.useWatch('oidc.well_known', form)
  const url = typeof wellKnown === 'string' ? wellKnown.trim() : ''
  const discoverEndpoints = () =>
    discover.mutate(url, {
      onSuccess(found) {
        form.setFields([
          { name: 'oidc.well_known', errors: [] },
          { name: 'oidc.authorization_endpoint', value: found.authorization_endpoint, errors: [] },
          { name: 'oidc.token_endpoint', value: found.token_endpoint, errors: [] },
          { name: 'oidc.user_info_endpoint', value: found.user_info_endpoint, errors: [] },
        ])
        onFilled()
        toast.success(t('oidc.filled'))
      },
      onError: (error) => form.setFields([{ name: 'oidc.well_known', errors: [errorText(error)] }]),
    })
  return (
    <div className={styles.line}>
      <Button onClick={discoverEndpoints} loading={discover.isPending} disabled={url === ''}>
        {t('oidc.read')}
      </Button>
      <span className={styles.help}>{t('oidc.hint')}</span>
    </div>
  )
}

/** Version, start time and address of the server. */
export function SiteInfo() {
  const { t } = useTranslation('settings')
  const unitText = useUnitText()
  const { version, start_time, server_address, quota_per_unit } = useStatus()
  return (
    <section className={styles.card} aria-label={t('site.title')}>
      <h2 className={styles.title}>{t('site.title')}</h2>
      <Facts
        facts={[
          { term: t('site.version'), value: <span className="mono">{version}</span> },
          { term: t('site.started'), value: <Time unixSeconds={start_time} /> },
          { term: t('site.address'), value: server_address || t('site.noAddress') },
          { term: t('site.unit'), value: `${formatCount(quota_per_unit)} ${unitText('quota', quota_per_unit)}` },
        ]}
      />
    </section>
  )
}
