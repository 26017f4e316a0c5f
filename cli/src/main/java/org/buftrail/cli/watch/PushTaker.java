package org.buftrail.cli.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Damage;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.dataset.Content;
import org.buftrail.profile.push.Delivery;
import org.buftrail.profile.push.PushTarget;
import org.buftrail.profile.push.RefusedException;
import org.jspecify.annotations.Nullable;

/** Sends recordings, converted, to a receiver. */
public final class PushTaker implements Taker {
  private final Converter converter = new Converter(Options.DEFAULT);
  private final PushTarget target;
  private final long patienceMillis;

  /**
   * @param patienceMillis how long to try one request while the receiver is down
   */
  public PushTaker(PushTarget target, long patienceMillis) {
    this.target = target;
    this.patienceMillis = patienceMillis;
  }

  @Override
  public List<String> take(Path recording, @Nullable Content content)
      throws IOException, InterruptedException, CommandFailure {
    Conversion conversion = converter.convert(List.of(recording));
    if (conversion.profiles().profiles().isEmpty()) {
      throw NothingToWrite.of(List.of(recording), conversion, false);
    }
    Delivery delivery = new Delivery(target, Delivery.LARGEST_PART, patienceMillis);
    try {
      delivery.send(conversion.profiles());
    } catch (RefusedException e) {
      if (e.isForTheContent()) {
        throw new CommandFailure(recording + ": " + e.getMessage(), e);
      }
      // A refused client may be admitted later.
      throw e;
    }
    if (!delivery.partial().isEmpty()) {
      throw new CommandFailure(recording + ": " + delivery.partial());
    }
    return conversion.damages().stream().map(Damage::toString).toList();
  }

  @Override
  public void close() {
    // Keeps nothing open.
  }
}
