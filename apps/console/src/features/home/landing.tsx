import { ArrowRightOutlined } from '@ant-design/icons'
import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { TideEdge } from '../../components/brand-motif.tsx'
import { formatSeconds } from '../../lib/format.ts'
import { GuideLink } from '../../ui/page/help-link.tsx'
import { CodeCard, siteAddress } from './code-card.tsx'
import styles from './home.module.css'
import { FEATURED, formatAvailability, useMeasured } from './measured.ts'

// Below the fold on most screens, so it does not delay the hero.
const PriceTable = lazy(() => import('./price-table.tsx').then((module) => ({ default: module.PriceTable })))

/** Prices depend on the groups of the user. */
const offeredModelsQuery = (userId: number | null) =>
  queryOptions({
    queryKey: ['pricing', userId],
    queryFn: ({ signal }) => call(api.getPricing, { signal }),
    staleTime: 60_000,
  })

/**
 * One model of each provider in turn, starting with the providers that have the most models. The usage of models is not
 * public, so models are ranked by context window and price.
 */
function featuredModels(models: readonly api.PricedModel[]): api.PricedModel[] {
  const providers = new Map<string, api.PricedModel[]>()
  for (const model of models) providers.set(model.owner_by, [...(providers.get(model.owner_by) ?? []), model])
  const queues = [...providers]
    .toSorted(([a, one], [b, other]) => Number(a === '') - Number(b === '') || other.length - one.length)
    .map(([, own]) => own.toSorted((a, b) => (b.context ?? 0) - (a.context ?? 0) || outputPrice(b) - outputPrice(a)))
  const longest = Math.max(0, ...queues.map((queue) => queue.length))
  return Array.from({ length: longest }, (_, index) => queues.flatMap((queue) => queue[index] ?? [])).flat()
}

const outputPrice = ({ rates }: api.PricedModel) => rates?.output ?? 0

const PROTOCOLS = ['OpenAI', 'Responses', 'Anthropic', 'Gemini'] as const
const STEPS = ['token', 'address', 'receipt'] as const

/** The default home page: offer, working code, prices, steps and questions. */
export function Landing() {
  const userId = useSession((session) => session.user?.id ?? null)
  const pricing = useQuery(offeredModelsQuery(userId))
  const models = featuredModels(pricing.data?.data ?? [])
  return (
    <div className={styles.landing}>
      <div className={styles.hero}>
        <div className={styles.heroColumns}>
          <Intro models={models} isLoading={pricing.isPending} />
          <CodeCard model={(models.find(isPricedByToken) ?? models[0])?.model_name} />
        </div>
        <TideEdge className={styles.tide} />
      </div>
      <Suspense fallback={<PendingPrices />}>
        <PriceTable models={models} isLoading={pricing.isPending} />
      </Suspense>
      <Steps />
      <Questions />
    </div>
  )
}

/** Holds the place of the prices while their code is loaded. */
function PendingPrices() {
  const { t } = useTranslation('home')
  return (
    <section className={styles.section} aria-busy>
      <div className={styles.sectionHead}>
        <h2>{t('prices.title')}</h2>
      </div>
      <div className={`${styles.prices} ${styles.pendingPrices}`} />
    </section>
  )
}

interface IntroProps {
  /** In the order of the price table. */
  models: readonly api.PricedModel[]
  isLoading: boolean
}

function Intro({ models, isLoading }: IntroProps) {
  const { t } = useTranslation('home')
  const start = useStart()
  const count = models.length
  return (
    <section className={styles.intro}>
      <h1>
        <span>{t('title.models')}</span> <span>{t('title.api')}</span>
      </h1>
      <p>{t('tagline')}</p>
      <div className={styles.actions}>
        <Link to={start.path} className={styles.primaryAction}>
          {t(start.text)} <ArrowRightOutlined aria-hidden />
        </Link>
        <Link to="/pricing" className={styles.secondaryAction}>
          {count > 0 ? t('browse', { count }) : t('seePrices')}
        </Link>
      </div>
      {(isLoading || count > 0) && <Facts models={models} />}
    </section>
  )
}

/** Measured availability and latency of the models in the price table, if they have traffic, and what is offered. */
function Facts({ models }: Pick<IntroProps, 'models'>) {
  const { t } = useTranslation('home')
  const { availability, firstToken } = useMeasured(models.slice(0, FEATURED).map(({ model_name: name }) => name))
  const providers = countProviders(models)
  const facts = [
    ['availability', availability === undefined ? undefined : formatAvailability(availability)],
    ['firstToken', firstToken === undefined ? undefined : formatSeconds(firstToken)],
    ['models', models.length || undefined],
    ['providers', providers > 1 ? providers : undefined],
    ['protocols', models.length > 0 ? PROTOCOLS.length : undefined],
  ] as const
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined)
        .slice(0, MAX_FACTS)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{t(`facts.${name}`)}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** As many as fit into one line. */
const MAX_FACTS = 4

/** The console with an account, otherwise registration, or sign-in if registration is closed. */
function useStart(): { path: string; text: 'openConsole' | 'start' | 'login' } {
  const isLoggedIn = useSession((session) => session.user !== null)
  const { register_enabled: isOpen, self_use_mode_enabled: isSelfUse } = useStatus()
  if (isLoggedIn) return { path: '/app/tokens', text: 'openConsole' }
  return isOpen && !isSelfUse ? { path: '/register', text: 'start' } : { path: '/login', text: 'login' }
}

/** A model for the code samples: those priced otherwise make images or videos. */
const isPricedByToken = ({ quota_type: type, model_ratio: ratio }: api.PricedModel) => type === 0 && ratio > 0

const countProviders = (models: readonly { owner_by: string }[]) =>
  new Set(models.map(({ owner_by: provider }) => provider).filter((provider) => provider !== '')).size

function Steps() {
  const { t } = useTranslation('home')
  return (
    <section className={styles.section} aria-labelledby="steps">
      <h2 id="steps">{t('steps.title')}</h2>
      <ol className={styles.steps}>
        {STEPS.map((step, index) => (
          <li key={step}>
            <h3>
              <span className={styles.stepNumber} aria-hidden>
                {index + 1}
              </span>
              {t(`steps.${step}.title`)}
            </h3>
            <p>{t(`steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
      <p className={styles.guide}>
        <GuideLink />
      </p>
    </section>
  )
}

function Questions() {
  const { t } = useTranslation('home')
  const { server_address: address, log_chat_content_enabled: isStored } = useStatus()
  const site = siteAddress(address)
  const answers = {
    failure: t('questions.failure.answer'),
    storage: t(isStored ? 'questions.storage.yes' : 'questions.storage.no'),
    billing: t('questions.billing.answer'),
    clients: t('questions.clients.answer', { openai: `${site}/v1`, other: site }),
  }
  return (
    <section className={styles.section} aria-labelledby="questions">
      <h2 id="questions">{t('questions.title')}</h2>
      <div className={styles.questions}>
        {Object.entries(answers).map(([name, answer], index) => (
          <details key={name} open={index === 0}>
            <summary>{t(`questions.${name as keyof typeof answers}.question`)}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
