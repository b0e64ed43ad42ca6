import * as api from '@tidegate/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { forgetUser, leaveBy } from '../../api/session.ts'
import { loginPath } from '../../lib/return-path.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Button, Modal, Segmented } from '../../ui/kit/index.ts'
import { LoadError } from '../resource/load-error.tsx'
import { securityQuery } from './api.ts'
import { canUsePasskeys } from './passkeys.ts'
import { PasskeyForm, SecretForm, type MethodProps } from './reauth-methods.tsx'
import styles from './reauth.module.css'

/** Above dialogs and confirmations (2000), which can need re-authentication; below messages (2010). */
const Z_INDEX = 2005

interface Props {
  open: boolean
  onClose(isDone: boolean): void
}

export function ReauthDialog({ open, onClose }: Props) {
  const { t } = useTranslation('proof')
  const { t: common } = useTranslation()
  const [isReady, setReady] = useState(false)
  return (
    <Modal
      title={t('title')}
      open={open}
      onCancel={() => onClose(false)}
      closable={{ 'aria-label': common('close') }}
      footer={null}
      width={420}
      zIndex={Z_INDEX}
      destroyOnHidden
      afterOpenChange={setReady}
    >
      <p className={styles.purpose}>{t('purpose')}</p>
      <Methods isReady={isReady} onDone={() => onClose(true)} onLeave={() => onClose(false)} />
    </Modal>
  )
}

function Methods({ onLeave, ...props }: MethodProps & { onLeave(): void }) {
  const { t } = useTranslation()
  const security = useQuery({ ...securityQuery, staleTime: 0 })
  if (security.error && !security.data) {
    return (
      <LoadError
        title={t('errors.loadFailed')}
        error={security.error}
        retrying={security.isFetching}
        onRetry={security.refetch}
      />
    )
  }
  if (!security.data) return <SkeletonLines lines={3} />
  const methods = security.data.reauth_methods.filter((method) => method !== 'passkey' || canUsePasskeys())
  return methods.length === 0 ? <LogInAgain onLeave={onLeave} /> : <MethodChoice methods={methods} {...props} />
}

type Method = api.Security['reauth_methods'][number]

/** The last choice, kept while the page is open. */
let preferred: Method = 'password'

function MethodChoice({ methods, ...props }: MethodProps & { methods: Method[] }) {
  const { t } = useTranslation('proof')
  const [chosen, setChosen] = useState(preferred)
  const method = methods.includes(chosen) ? chosen : methods[0]!
  const choose = (next: Method) => {
    preferred = next
    setChosen(next)
  }
  return (
    <>
      {methods.length > 1 && (
        <Segmented<Method>
          block
          className={styles.methods}
          aria-label={t('way')}
          value={method}
          onChange={choose}
          options={methods.map((value) => ({ value, label: t(`ways.${value}`) }))}
        />
      )}
      {method === 'passkey' ? <PasskeyForm {...props} /> : <SecretForm key={method} kind={method} {...props} />}
    </>
  )
}

/** For accounts without a usable method: a new sign-in counts as re-authentication. */
function LogInAgain({ onLeave }: { onLeave(): void }) {
  const { t } = useTranslation('proof')
  const logOut = useLogOutToLogin(onLeave)
  return (
    <>
      <p>{t('logInAgain.text')}</p>
      <Button block type="primary" loading={logOut.isPending} onClick={() => logOut.mutate()}>
        {t('logInAgain.action')}
      </Button>
    </>
  )
}

/** Signs out and opens the sign-in page, which returns to this page. */
function useLogOutToLogin(onLeave: () => void) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      leaveBy(async () => {
        await call(api.logout)
        onLeave()
        // Navigate before the user is forgotten, or the route guard redirects to another page.
        await navigate(loginPath({ expired: false, returnTo: pathname + search }))
        forgetUser('logged-out')
        client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
      }),
  })
}
