import type { SetupStatus } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ApiError, errorText } from '../../../api/errors.ts'
import { serverLanguage } from '../../../lib/i18n.ts'
import { rememberUser } from '../../../api/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Alert, Button, Form } from '../../../ui/kit/index.ts'
import { AdminFields } from './admin-fields.tsx'
import { CodeField } from './code-field.tsx'
import { ModeField } from './mode-field.tsx'
import { useSubmitSetup } from './queries.ts'
import styles from './setup.module.css'
import { SiteFields } from './site-fields.tsx'
import type { SetupValues } from './setup-values.ts'

const REDIRECT_DELAY = 1500
/** The dashboard of a site that has nothing yet says what to do first. */
const FIRST_STEPS = '/app/dashboard'

/** Database news, administrator, mode: what a fresh server needs to know before it can serve. */
export function SetupForm({ setup }: { setup: SetupStatus }) {
  const { t } = useTranslation('setup')
  const submit = useSubmitSetup()
  const [search] = useSearchParams()
  const [destination, setDestination] = useState<string>()
  const done = destination !== undefined
  useLeaveFor(destination)

  const initialize = ({ mode, ...account }: SetupValues) => {
    const body = { ...account, SelfUseModeEnabled: mode === 'self', DemoSiteEnabled: mode === 'demo' }
    submit.mutate(body, {
      onSuccess: (user) => {
        if (user) rememberUser(user)
        setDestination(user ? FIRST_STEPS : '/login')
        toast.success(t('done'))
      },
    })
  }
  return (
    <Form<SetupValues>
      layout="vertical"
      requiredMark={false}
      initialValues={{
        mode: 'external',
        ServerAddress: window.location.origin,
        language: serverLanguage(),
        setup_code: search.get('code') ?? undefined, // the link a server prints has it
      }}
      onFinish={initialize}
      scrollToFirstError={{ focus: true, block: 'center' }}
      disabled={done}
    >
      {['embedded', 'sqlite'].includes(setup.database_type) && (
        <Alert
          className={styles.notice}
          type="warning"
          showIcon
          title={t('embeddedTitle')}
          description={t('embedded')}
        />
      )}
      <h2 className={styles.heading}>{t('adminSection')}</h2>
      {setup.root_init ? (
        <Alert className={styles.notice} type="info" showIcon title={t('adminExists')} />
      ) : (
        <AdminFields />
      )}
      {setup.code_required && <CodeField />}
      <SiteFields />
      <ModeField />
      {submit.error && (
        <Alert className={styles.notice} type="error" showIcon title={t('failed')} description={why(submit.error)} />
      )}
      <Button type="primary" htmlType="submit" size="large" block loading={submit.isPending || done}>
        {t('submit')}
      </Button>
    </Form>
  )

  function why(error: unknown): string {
    return error instanceof ApiError && error.code === 'unknown' ? t('failedRetry') : errorText(error)
  }
}

/** Everything the page knows is out of date then, so the next starts anew, after a moment to read the good news. */
function useLeaveFor(destination: string | undefined): void {
  useEffect(() => {
    if (destination === undefined) return
    const timer = setTimeout(() => window.location.assign(destination), REDIRECT_DELAY)
    return () => clearTimeout(timer)
  }, [destination])
}
