import {
  removeDirectory,
  type ServerOptions,
  startServer,
  stopLeftOverDatabase,
  throwAwayDirectory,
  withServices,
} from '@tidegate/testing'
import { type Metric, median } from './report.ts'

const LATER_STARTS = 3

/** The time from the start of the process to the first 200 of `/readyz`. */
export async function measureColdStart(): Promise<Metric[]> {
  return [...(await startsOn('embedded database', {})), ...(await withDatabaseServer())]
}

async function withDatabaseServer(): Promise<Metric[]> {
  const services = await withServices()
  try {
    return await startsOn('PostgreSQL and Redis', services.env)
  } finally {
    await services.close()
  }
}

async function startsOn(what: string, env: NonNullable<ServerOptions['env']>): Promise<Metric[]> {
  const dataDirectory = await throwAwayDirectory()
  try {
    const first = await startOnce(dataDirectory, env)
    const later = []
    for (let start = 0; start < LATER_STARTS; start += 1) later.push(await startOnce(dataDirectory, env))
    return [
      { name: `cold start, ${what}, first`, value: first, unit: 'ms', note: 'makes the database and its tables' },
      { name: `cold start, ${what}, later`, value: median(later), unit: 'ms', note: `median of ${LATER_STARTS}` },
    ]
  } finally {
    await stopLeftOverDatabase(dataDirectory)
    await removeDirectory(dataDirectory)
  }
}

async function startOnce(dataDirectory: string, env: NonNullable<ServerOptions['env']>): Promise<number> {
  const server = await startServer({ dataDirectory, env })
  await server.stop()
  return server.readyAfterMs
}
