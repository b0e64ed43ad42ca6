import { useTranslation } from 'react-i18next'
import { useSession } from '../../../api/session.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import styles from '../settings.module.css'
import { useSendTestMail } from '../queries.ts'

/** Tries the stored mail server, and shows what it answers. */
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
