package io.firstcome.bootstrap.wiring;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.CompareClocks;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.EndRedemption;
import io.firstcome.application.ExpireUserCoupons;
import io.firstcome.application.ForgetWrongCodes;
import io.firstcome.application.GiveBackUserCoupon;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.ListUserCoupons;
import io.firstcome.application.QuoteUserCoupons;
import io.firstcome.application.ReleaseSlots;
import io.firstcome.application.RevokeUserCoupon;
import io.firstcome.application.TakeByCode;
import io.firstcome.application.TakeUserCoupon;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.WrongCodes;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the use cases of user coupons, from their issue to their end. */
@Configuration(proxyBeanMethods = false)
class UserCouponWiring {

  @Bean
  TakeUserCoupon takeUserCoupon(
      CouponCatalog catalog, UserCouponRepository userCoupons, InstantSource clock) {
    return new TakeUserCoupon(catalog, userCoupons, clock);
  }

  @Bean
  EndRedemption endRedemption(UserCouponRepository userCoupons, InstantSource clock) {
    return new EndRedemption(userCoupons, clock);
  }

  @Bean
  ExpireUserCoupons expireUserCoupons(
      UserCouponRepository userCoupons, CompareClocks clocks, ApplicationLimits limits) {
    return new ExpireUserCoupons(userCoupons, clocks, limits);
  }

  @Bean
  ListUserCoupons listUserCoupons(UserCouponRepository userCoupons, InstantSource clock) {
    return new ListUserCoupons(userCoupons, clock);
  }

  @Bean
  QuoteUserCoupons quoteUserCoupons(
      CouponCatalog catalog, UserCouponRepository userCoupons, InstantSource clock) {
    return new QuoteUserCoupons(catalog, userCoupons, clock);
  }

  @Bean
  TakeByCode takeByCode(
      TakeUserCoupon takeUserCoupon,
      UserCouponRepository userCoupons,
      WrongCodes wrongCodes,
      InstantSource clock,
      ApplicationLimits limits) {
    return new TakeByCode(takeUserCoupon, userCoupons, wrongCodes, clock, limits);
  }

  @Bean
  ForgetWrongCodes forgetWrongCodes(WrongCodes wrongCodes, ApplicationLimits limits) {
    return new ForgetWrongCodes(wrongCodes, limits);
  }

  @Bean
  ReleaseSlots releaseSlots(
      CouponCatalog catalog,
      SlotReturns slotReturns,
      CouponStock stock,
      KnownEpochs epochs,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new ReleaseSlots(catalog, slotReturns, stock, epochs, limits, observer);
  }

  @Bean
  GiveBackUserCoupon giveBackUserCoupon(
      CouponCatalog catalog,
      UserCouponRepository userCoupons,
      ReleaseSlots releaseSlots,
      InstantSource clock) {
    return new GiveBackUserCoupon(catalog, userCoupons, releaseSlots, clock);
  }

  @Bean
  RevokeUserCoupon revokeUserCoupon(
      CouponCatalog catalog,
      UserCouponRepository userCoupons,
      ReleaseSlots releaseSlots,
      InstantSource clock) {
    return new RevokeUserCoupon(catalog, userCoupons, releaseSlots, clock);
  }
}
