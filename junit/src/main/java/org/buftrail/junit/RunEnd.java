package org.buftrail.junit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Fails the run, if that was asked for, by what it left open. JUnit closes it after all tests. */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes only this, later ones both.
final class RunEnd implements ExtensionContext.Store.CloseableResource, AutoCloseable {
  private static final Namespace OWN = Namespace.create(RunEnd.class);

  private final LeakRun run;

  private RunEnd(LeakRun run) {
    this.run = run;
  }

  /** As a class begins. */
  static void prepare(LeakRun run, ExtensionContext context) {
    ExtensionContext.Store store = context.getRoot().getStore(OWN);
    if (store.get(OWN) == null) {
      if (Concurrency.areAllWatched(context)) {
        run.claim();
      }
      boolean fails =
          TestSettings.failsRun(name -> context.getConfigurationParameter(name).orElse(null));
      store.getOrComputeIfAbsent(OWN, key -> fails ? new RunEnd(run) : "told", Object.class);
    }
  }

  @Override
  public void close() {
    Verdict failing = run.failingOnce();
    if (failing != null) {
      throw failing.error();
    }
  }
}
