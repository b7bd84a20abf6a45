package io.firstcome.domain.curve;

import java.time.Instant;

/**
 * What happened to one coupon in an interval of time.
 *
 * @param at the begin of the interval
 * @param issued user coupons that were issued in it, by their rows; those whose retention is over
 *     are not counted
 * @param answers to claims in it, as instances have counted them
 */
public record CurvePoint(Instant at, long issued, AnswerCounts answers) {}
