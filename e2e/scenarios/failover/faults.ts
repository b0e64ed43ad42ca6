import { addToken } from '@tidegate/testing'
import type { Fault, PreparedFault } from '../faults/fault.ts'
import { patroniCluster, type PatroniCluster, type PatroniNode } from './patroni-cluster.ts'

/** How the processes of the site reach the database: through HAProxy, or by the addresses of all nodes. */
export type Access = 'haproxy' | 'hosts'

/** The primary changes under load, in the ways it does in operation. */
export const failovers: Readonly<Record<string, (access: Access) => Fault>> = {
  kill: (access) =>
    failover('the primary is killed', access, {
      inject: (_cluster, primary) => primary.kill(),
      repair: (primary) => primary.start(),
    }),
  freeze: (access) =>
    failover('the primary freezes and comes back', access, {
      inject: (_cluster, primary) => primary.freeze(),
      repair: (primary) => primary.thaw(),
    }),
  switchover: (access) =>
    failover('another node takes over in order', access, {
      inject: (cluster) => cluster.switchOver(),
      repair: async () => {},
    }),
  partition: (access) =>
    failover('the primary cannot reach etcd', access, {
      inject: async (_cluster, primary) => primary.isolate(),
      repair: async (primary) => primary.reconnect(),
    }),
}

interface Change {
  inject(cluster: PatroniCluster, primary: PatroniNode): Promise<void>
  repair(primary: PatroniNode): Promise<void>
}

function failover(name: string, access: Access, { inject, repair }: Change): Fault {
  return {
    name: `${name} (${access})`,
    async prepare(): Promise<PreparedFault> {
      const cluster = await patroniCluster()
      let before: PatroniNode
      return {
        environment: { postgresUrl: cluster.url, ...(access === 'hosts' && { databaseHosts: cluster.hosts }) },
        awaitServices: () => cluster.complete(),
        async inject() {
          before = await cluster.primary()
          await inject(cluster, before)
        },
        async repair() {
          await cluster.primary(before)
          await repair(before)
        },
        isBack: ({ administrator }) =>
          addToken(administrator).then(
            () => true,
            () => false,
          ),
        remove: () => cluster.remove(),
      }
    },
  }
}
