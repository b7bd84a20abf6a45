package io.firstcome.application.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Processes long lists in pages of bounded size. */
public final class Pages {

  private Pages() {}

  /** The list in pages of at most {@code size}. */
  public static <T> List<List<T>> of(List<T> all, int size) {
    var pages = new ArrayList<List<T>>();
    for (int from = 0; from < all.size(); from += size) {
      pages.add(all.subList(from, Math.min(from + size, all.size())));
    }
    return pages;
  }

  /**
   * Reads page after page until one is empty.
   *
   * @param read returns the page after a key, or the first one for null
   * @param key returns the key of an item; that of the last item selects the next page
   */
  public static <T, K> void forEach(
      Function<@Nullable K, List<T>> read, Function<T, K> key, Consumer<List<T>> action) {
    var page = read.apply(null);
    while (!page.isEmpty()) {
      action.accept(page);
      page = read.apply(key.apply(page.getLast()));
    }
  }

  /**
   * The same, while the executor reads the next page during the action.
   *
   * @param read may still run when the action has failed
   */
  public static <T, K> void forEachReadAhead(
      Function<@Nullable K, List<T>> read,
      Function<T, K> key,
      Consumer<List<T>> action,
      Executor executor) {
    var page = read.apply(null);
    while (!page.isEmpty()) {
      var last = key.apply(page.getLast());
      var next = CompletableFuture.supplyAsync(() -> read.apply(last), executor);
      action.accept(page);
      page = result(next);
    }
  }

  private static <T> T result(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }
}
