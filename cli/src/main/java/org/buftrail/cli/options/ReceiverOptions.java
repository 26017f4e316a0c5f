package org.buftrail.cli.options;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.push.PushTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** To whom a command sends. */
public final class ReceiverOptions {
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = {
        "The receiver, such as http://localhost:4318. Without a path, /v1development/profiles."
      })
  private @Nullable String endpoint;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "Send this header too; may be repeated.")
  private Map<String, String> headers = new LinkedHashMap<>();

  /** Whether a receiver is named; the environment may name one too. */
  public boolean isGiven() {
    return endpoint != null;
  }

  public PushTarget target() {
    return target(target -> target);
  }

  /**
   * The receiver, as other options would have it.
   *
   * @param more throws {@link IllegalArgumentException} where they are wrong
   */
  public PushTarget target(UnaryOperator<PushTarget> more) {
    try {
      PushTarget target = PushTarget.of(endpoint, "--endpoint", System.getenv());
      return more.apply(target.withHeaders(headers, "--header"));
    } catch (IllegalArgumentException e) {
      throw new WrongUsage(String.valueOf(e.getMessage()));
    }
  }
}
