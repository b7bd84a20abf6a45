package io.firstcome.bootstrap.problem;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/**
 * The types of problems. What each one means to a client, and whether a retry is safe, is in {@code
 * docs/problems.md}.
 */
public enum ProblemType {
  SOLD_OUT(HttpStatus.CONFLICT, "Sold out"),
  CAMPAIGN_LIMIT(HttpStatus.CONFLICT, "Campaign limit"),
  NOT_OPEN(HttpStatus.CONFLICT, "Not open yet"),
  CLOSED(HttpStatus.CONFLICT, "Closed"),
  PAUSED(HttpStatus.CONFLICT, "Paused"),
  RETURNED(HttpStatus.CONFLICT, "Returned"),
  REJECTED(HttpStatus.CONFLICT, "Rejected"),
  ADMISSION_REQUIRED(HttpStatus.FORBIDDEN, "Admission required"),
  INVALID_ADMISSION(HttpStatus.FORBIDDEN, "Invalid admission"),
  ADMISSION_EXPIRED(HttpStatus.FORBIDDEN, "Admission expired"),
  CHALLENGE_REQUIRED(HttpStatus.FORBIDDEN, "Challenge required"),
  INVALID_SOLUTION(HttpStatus.FORBIDDEN, "Invalid solution"),
  INVALID_TICKET(HttpStatus.FORBIDDEN, "Invalid ticket"),
  HAS_CLAIM(HttpStatus.CONFLICT, "Has a claim"),
  UNKNOWN_COUPON(HttpStatus.NOT_FOUND, "Unknown coupon"),
  NO_WAITING_ROOM(HttpStatus.NOT_FOUND, "No waiting room"),
  NO_CLAIM(HttpStatus.NOT_FOUND, "No claim"),
  UNKNOWN_USER_COUPON(HttpStatus.NOT_FOUND, "Unknown user coupon"),
  NOT_YET_ISSUED(HttpStatus.CONFLICT, "Not yet issued"),
  NOT_USABLE(HttpStatus.CONFLICT, "Not usable"),
  ALREADY_USED(HttpStatus.CONFLICT, "Already used"),
  EXPIRED(HttpStatus.CONFLICT, "Expired"),
  HELD_BY_ANOTHER_ORDER(HttpStatus.CONFLICT, "Held by another order"),
  NOT_APPLICABLE(HttpStatus.CONFLICT, "Not applicable"),
  OTHER_AMOUNT(HttpStatus.CONFLICT, "Other amount"),
  TAKEN_BY_SHOP(HttpStatus.CONFLICT, "Taken by shop"),
  TAKEN_TOO_OFTEN(HttpStatus.CONFLICT, "Taken too often"),
  NOT_HELD(HttpStatus.CONFLICT, "Not held"),
  NOT_USED(HttpStatus.CONFLICT, "Not used"),
  ONLY_SHOPS_USE(HttpStatus.FORBIDDEN, "Only shops use"),
  UNKNOWN_CODE(HttpStatus.NOT_FOUND, "Unknown code"),
  UNKNOWN_REDEMPTION(HttpStatus.NOT_FOUND, "Unknown redemption"),
  INVALID_ORDER(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid order"),
  INVALID_CANCELLATION(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid cancellation"),
  INVALID_COUPON(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid coupon"),
  INVALID_CAMPAIGN(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid campaign"),
  UNKNOWN_CAMPAIGN(HttpStatus.NOT_FOUND, "Unknown campaign"),
  ALREADY_DEFINED(HttpStatus.CONFLICT, "Already defined"),
  ALREADY_CLAIMED(HttpStatus.CONFLICT, "Already claimed"),
  OVERTAKEN(HttpStatus.PRECONDITION_FAILED, "Overtaken"),
  PRECONDITION_REQUIRED(HttpStatus.PRECONDITION_REQUIRED, "Precondition required"),
  CONCURRENT_CHANGE(HttpStatus.CONFLICT, "Concurrent change"),
  NOT_PUBLISHED(HttpStatus.CONFLICT, "Not published"),
  NOT_DRAFT(HttpStatus.CONFLICT, "Not a draft"),
  LOWER_QUANTITY(HttpStatus.CONFLICT, "Lower quantity"),
  NOT_CLOSED(HttpStatus.CONFLICT, "Not closed"),
  NOT_SETTLED(HttpStatus.CONFLICT, "Not settled"),
  ARCHIVED(HttpStatus.CONFLICT, "Archived"),
  INVALID_REVOCATION(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid revocation"),
  INVALID_ERASURE(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid erasure"),
  UNKNOWN_ERASURE(HttpStatus.NOT_FOUND, "Unknown erasure"),
  UNKNOWN_DEAD_LETTER(HttpStatus.NOT_FOUND, "Unknown dead letter"),
  DEAD_LETTER_HAS_CLAIMS(HttpStatus.CONFLICT, "Dead letter has claims"),
  NOT_RECORDED(HttpStatus.CONFLICT, "Not recorded"),
  INVALID_REHEARSAL(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid rehearsal"),
  UNKNOWN_REHEARSAL(HttpStatus.NOT_FOUND, "Unknown rehearsal"),
  REHEARSAL_IN_PROGRESS(HttpStatus.CONFLICT, "Rehearsal in progress"),
  COUPON_IS_OPEN(HttpStatus.CONFLICT, "Coupon is open"),
  CANNOT_REHEARSE(HttpStatus.CONFLICT, "Cannot rehearse"),
  NOT_REHEARSED(HttpStatus.CONFLICT, "Not rehearsed"),
  INVALID_WEBHOOK(HttpStatus.UNPROCESSABLE_CONTENT, "Invalid webhook"),
  UNKNOWN_WEBHOOK(HttpStatus.NOT_FOUND, "Unknown webhook"),
  TOO_MANY_WEBHOOKS(HttpStatus.CONFLICT, "Too many webhooks"),
  NOT_ENABLED(HttpStatus.CONFLICT, "Not enabled"),
  NOT_GIVEN_UP(HttpStatus.CONFLICT, "Not given up"),
  OVERLOADED(HttpStatus.SERVICE_UNAVAILABLE, "Overloaded"),
  RECOVERING(HttpStatus.SERVICE_UNAVAILABLE, "Recovering"),
  OUTCOME_UNKNOWN(HttpStatus.SERVICE_UNAVAILABLE, "Outcome unknown"),
  TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"),
  UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "Not authenticated"),
  FORBIDDEN(HttpStatus.FORBIDDEN, "Forbidden"),
  MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "Malformed request"),
  NOT_FOUND(HttpStatus.NOT_FOUND, "Not Found"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "Method Not Allowed"),
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type"),
  CONTENT_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "Content Too Large"),
  URI_TOO_LONG(HttpStatus.URI_TOO_LONG, "URI Too Long"),
  INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "Internal Server Error");

  private final HttpStatus status;
  private final String title;

  ProblemType(HttpStatus status, String title) {
    this.status = status;
    this.title = title;
  }

  HttpStatus status() {
    return status;
  }

  String title() {
    return title;
  }

  /** Its stable name, as in {@code sold-out}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The member {@code type} of its problems. */
  public URI uri() {
    return URI.create("urn:firstcome:problem:" + label());
  }
}
