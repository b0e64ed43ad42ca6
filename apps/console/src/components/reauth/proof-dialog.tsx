import type { Security } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../resource/load-error.tsx'
import { Modal, Segmented, Skeleton } from '../../ui/kit/index.ts'
import { LogInAgain } from './log-in-again.tsx'
import { PasskeyWay } from './passkey-way.tsx'
import { canUsePasskeys } from './passkeys.ts'
import styles from './proof.module.css'
import { SecretWay } from './secret-way.tsx'
import { securityQuery } from './security-query.ts'
import type { WayProps } from './way-props.ts'

/** Above other dialogs and the kit's own questions (2000), which often need the proof; below its notices (2010). */
const ON_TOP = 2005

interface Props {
  open: boolean
  onAnswer(proved: boolean): void
}

/** "Confirm that it is you", with whatever the account can be proved with. */
export function ProofDialog({ open, onAnswer }: Props) {
  const { t } = useTranslation('proof')
  const { t: common } = useTranslation()
  const [isReady, setReady] = useState(false)
  return (
    <Modal
      title={t('title')}
      open={open}
      onCancel={() => onAnswer(false)}
      closable={{ 'aria-label': common('close') }}
      footer={null}
      width={420}
      zIndex={ON_TOP}
      destroyOnHidden
      afterOpenChange={setReady}
    >
      <p className={styles.purpose}>{t('purpose')}</p>
      <Ways isReady={isReady} onProved={() => onAnswer(true)} onLeave={() => onAnswer(false)} />
    </Modal>
  )
}

function Ways({ onLeave, ...way }: WayProps & { onLeave(): void }) {
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
  if (!security.data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  const ways = waysOf(security.data)
  return ways.length === 0 ? <LogInAgain onLeave={onLeave} /> : <Choice ways={ways} {...way} />
}

type Way = Security['reauth_methods'][number]

function waysOf({ reauth_methods }: Security): Way[] {
  return reauth_methods.filter((way) => way !== 'passkey' || canUsePasskeys())
}

/** What the person used last on this page is what they will want again. */
let preferred: Way = 'password'

function Choice({ ways, ...props }: WayProps & { ways: Way[] }) {
  const { t } = useTranslation('proof')
  const [chosen, setChosen] = useState(preferred)
  const way = ways.includes(chosen) ? chosen : ways[0]!
  const choose = (next: Way) => {
    preferred = next
    setChosen(next)
  }
  return (
    <>
      {ways.length > 1 && (
        <Segmented<Way>
          block
          className={styles.ways}
          aria-label={t('way')}
          value={way}
          onChange={choose}
          options={ways.map((value) => ({ value, label: t(`ways.${value}`) }))}
        />
      )}
      {way === 'passkey' ? <PasskeyWay {...props} /> : <SecretWay key={way} kind={way} {...props} />}
    </>
  )
}
