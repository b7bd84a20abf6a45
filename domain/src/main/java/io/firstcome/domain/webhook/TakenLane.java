package io.firstcome.domain.webhook;

/**
 * A lane on which one worker works, until its lease ends.
 *
 * @param lease the number of the lease
 */
public record TakenLane(WebhookId webhookId, int lane, long lease) {}
