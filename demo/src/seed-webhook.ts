import type { Pool } from "pg";

const WITH_WEBHOOK = "lantern-runner-android";

/** An app's impressions are posted to the lab, from the first start on and until somebody removes that or chooses another address. */
export async function seedWebhook(pool: Pool, appIds: ReadonlyMap<string, number>, labUrl: string): Promise<void> {
  await pool.query(
    `INSERT INTO revenue_webhooks AS w (app_id, url, place, next_at)
     SELECT id, $2, $3, now() FROM apps WHERE id = $1
       AND NOT EXISTS (SELECT FROM audit_log WHERE subject = apps.uuid::text AND action = 'app_webhook_removed')
     ON CONFLICT (app_id) DO UPDATE SET url = excluded.url WHERE w.url LIKE 'http://127.0.0.1:%/revenue'`,
    [appIds.get(WITH_WEBHOOK), `${labUrl}/revenue`, `${Date.now()}~0~`],
  );
}
