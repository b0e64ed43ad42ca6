import { BarChartOutlined, CheckCircleFilled } from '@ant-design/icons'
import { isRoot } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { GuideLink } from '../../ui/page/help-link.tsx'
import { setupStateQuery, type SetupState } from './api.ts'
import styles from './dashboard.module.css'
import type { View } from './view.ts'

/** Shown instead of a chart without usage, with the next step. A new site gets a guide to its first request. */
export function NoUsage({ scope, username }: Pick<View, 'scope' | 'username'>) {
  const { t } = useTranslation('dashboard')
  const isSite = scope === 'site'
  const { data: setup } = useQuery({ ...setupStateQuery(isSite), enabled: scope !== 'user' })
  if (isSite && setup && !(setup.hasChannel && setup.tokenId)) return <FirstSteps setup={setup} />
  const hint = scope === 'user' ? t('empty.hintOfUser', { username }) : t(`empty.hint.${scope}`)
  return (
    <div className={styles.empty}>
      <EmptyState
        title={t('empty.title')}
        hint={hint}
        action={scope !== 'user' && setup && <NextStep {...setup} />}
        guide="get-started/connect"
      />
    </div>
  )
}

function NextStep({ tokenId }: Pick<SetupState, 'tokenId'>) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  return (
    <Button type="primary" onClick={() => void navigate(tokenId ? connectPath(tokenId) : NEW_TOKEN)}>
      {t(tokenId ? 'start.call.action' : 'start.token.action')}
    </Button>
  )
}

const NEW_TOKEN = '/app/tokens?drawer=create'
const connectPath = (tokenId: number | undefined) =>
  tokenId === undefined ? '/app/tokens' : `/app/tokens?drawer=connect&id=${tokenId}`

function FirstSteps({ setup }: { setup: SetupState }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const steps = [
    { name: 'channel', isDone: setup.hasChannel, to: '/admin/channels?drawer=create' },
    { name: 'token', isDone: setup.tokenId !== undefined, to: NEW_TOKEN },
    { name: 'call', isDone: false, to: connectPath(setup.tokenId) },
  ] as const
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <div className={styles.guide}>
      <h2 className={styles.guideTitle}>{t('start.title')}</h2>
      <ol className={styles.guideSteps}>
        {steps.map(({ name, isDone, to }, index) => (
          <li key={name} className={styles.guideStep}>
            <span className={styles.guideMark} data-done={isDone || undefined} aria-hidden>
              {isDone ? <CheckCircleFilled /> : index + 1}
            </span>
            <div>
              <h3 className={styles.guideName}>{t(`start.${name}.title`)}</h3>
              <p className={styles.guideHint}>{isDone ? t('start.done') : t(`start.${name}.hint`)}</p>
            </div>
            {!isDone && (
              <Button type={name === next?.name ? 'primary' : 'default'} onClick={() => void navigate(to)}>
                {t(`start.${name}.action`)}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <GuideLink section="get-started/quick-start#set-up-in-the-browser" />
    </div>
  )
}

/** Shown if the site does not offer the dashboard. */
export function DashboardOff() {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const mayChange = useSession(({ user }) => isRoot(user?.role ?? 0))
  return (
    <section className={styles.card}>
      <EmptyState
        icon={<BarChartOutlined aria-hidden />}
        title={t('off.title')}
        hint={mayChange ? t('off.hintOfRoot') : t('off.hint')}
        action={
          mayChange && <Button onClick={() => void navigate('/admin/settings?tab=operation')}>{t('off.action')}</Button>
        }
      />
    </section>
  )
}
