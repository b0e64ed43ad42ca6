import type { SetupStatus } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ApiError, errorText } from '../../../api/errors.ts'
import { rememberUser } from '../../../api/session.ts'
import { AccountFields } from '../../../components/auth/account-fields.tsx'
import { serverLanguage } from '../../../lib/i18n.ts'
import { toast } from '../../../lib/toast.ts'
import { Alert, Button, Form } from '../../../ui/kit/index.ts'
import { useSubmitSetup } from '../api.ts'
import { CodeField, ModeField, SiteFields, type SetupValues } from './setup-fields.tsx'
import styles from './setup.module.css'

const REDIRECT_DELAY_MS = 1500
/** The dashboard of a new site lists the first steps. */
const FIRST_STEPS = '/app/dashboard'

export function SetupForm({ setup }: { setup: SetupStatus }) {
  const { t } = useTranslation('setup')
  const submit = useSubmitSetup()
  const [search] = useSearchParams()
  const [destination, setDestination] = useState<string>()
  const done = destination !== undefined
  useDelayedReload(destination)

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
        setup_code: search.get('code') ?? undefined, // in the link that the server prints
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
        <AccountFields texts="setup" repeatName="confirmPassword" />
      )}
      {setup.code_required && <CodeField />}
      <SiteFields />
      <ModeField />
      {submit.error && (
        <Alert
          className={styles.notice}
          type="error"
          showIcon
          title={t('failed')}
          description={explain(submit.error)}
        />
      )}
      <Button type="primary" htmlType="submit" size="large" block loading={submit.isPending || done}>
        {t('submit')}
      </Button>
    </Form>
  )

  function explain(error: unknown): string {
    return error instanceof ApiError && error.code === 'unknown' ? t('failedRetry') : errorText(error)
  }
}

/** Loads the destination as a new document, because all cached data is out of date. */
function useDelayedReload(destination: string | undefined): void {
  useEffect(() => {
    if (destination === undefined) return
    const timer = setTimeout(() => window.location.assign(destination), REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [destination])
}
