import type { OutcomeCounts } from '@tidegate/e2e/scenarios/faults/reconcile.ts'
import { failuresOf, type FaultResult } from '@tidegate/e2e/scenarios/faults/run-fault.ts'
import type { SoakResult } from './soak.ts'

const MB = 1024 ** 2

/** One row per fault, as a Markdown table for the docs. */
export function tableOf(results: readonly FaultResult[]): string {
  const rows = results.map((result) =>
    [
      result.name,
      `${result.requests} in all: ${describe(result.outcomes)}`,
      result.faultSeconds.toFixed(1),
      result.recoverySeconds.toFixed(1),
      result.lost.length,
      result.verify === '' ? 'clean' : 'differs',
    ].join(' | '),
  )
  const head = [
    '| Fault | What clients saw | Lasted, s | Back after, s | Lost | `verify` |',
    '|---|---|---|---|---|---|',
  ]
  return [...head, ...rows.map((row) => `| ${row} |`)].join('\n')
}

function describe({
  complete,
  asScripted,
  withoutCredit,
  rejected,
  broken,
  withoutResponse,
  unreachable,
}: OutcomeCounts): string {
  const parts: [number, string][] = [
    [complete, 'complete'],
    [asScripted, 'failed, cut or left as scripted'],
    [withoutCredit, 'without credit'],
    ...Object.entries(rejected).map(([code, count]): [number, string] => [count, `rejected \`${code}\``]),
    [broken, 'broken off'],
    [withoutResponse, 'without a response'],
    [unreachable, 'could not connect'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

/** The summary line. */
export function summaryOf(results: readonly FaultResult[]): string {
  const sum = (metric: (result: FaultResult) => number) => results.reduce((total, result) => total + metric(result), 0)
  const slowest = results.reduce((worst, result) => (result.recoverySeconds > worst.recoverySeconds ? result : worst))
  const hasFailed = results.some((result) => failuresOf(result).length > 0)
  return (
    `proof faults ${hasFailed ? 'fails' : 'holds'}: ${results.length} faults, ${sum(({ requests }) => requests)} calls, ` +
    `${sum(({ outcomes }) => outcomes.complete)} seen complete and settled once, ` +
    `${sum(({ interrupted }) => interrupted)} billed as interrupted, ${sum(({ lost }) => lost.length)} lost, ` +
    `lowest balance ${Math.min(...results.map(({ lowestBalance }) => lowestBalance))}, verify clean ` +
    `${results.filter(({ verify }) => verify === '').length} of ${results.length}, slowest to be back ` +
    `${slowest.recoverySeconds.toFixed(1)} s (${slowest.name})`
  )
}

/** Some of the samples, and the summary line. */
export function describeSoak(result: SoakResult): string {
  const step = Math.ceil(result.samples.length / 12)
  const rows = result.samples
    .filter((_, index) => (index + 1) % step === 0)
    .map(({ second, requests, heapBytes, rssBytes, handles, journalBytes, leases }) =>
      [Math.round(second), requests, mb(heapBytes), mb(rssBytes), handles, mb(journalBytes), leases].join(' | '),
    )
  const head = '| After, s | Calls | Living objects, MB | Processes, MB | Handles | Journals, MB | Leases |'
  const minutes = (result.samples.at(-1)!.second / 60).toFixed(1)
  return [
    head,
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    `proof faults --soak ${result.failures.length > 0 ? 'fails' : 'holds'}: ${result.requests} calls in ${minutes} minutes, ` +
      `${result.outcomes.complete} seen complete and settled once, ${result.lost.length} lost, living objects ` +
      `${formatSigned(result.heapBytesPerHour / MB)} MB an hour, processes ${formatSigned(result.rssBytesPerHour / MB)} MB an hour, ` +
      `handles ${formatSigned(result.handlesPerHour)} an hour, journals at most ${mb(result.maxJournalBytes)} MB, at most ` +
      `${result.maxLeases} leases, lowest balance ${result.lowestBalance}, verify ` +
      (result.verify === '' ? 'clean' : 'differs'),
  ].join('\n')
}

function mb(bytes: number): string {
  return (bytes / MB).toFixed(1)
}

function formatSigned(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`
}
