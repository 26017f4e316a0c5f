package org.buftrail.apps.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;

/** The application. */
public final class Shop {
  private Shop() {}

  /**
   * Works until standard input ends.
   *
   * @param args the port of a Redis server on this host
   */
  public static void main(String[] args) throws IOException {
    RedisClient client = RedisClient.create("redis://127.0.0.1:" + args[0]);
    try {
      Driver.drive(new Customers(client.connect().sync(), client.connect(new OrderCodec()).sync()));
    } finally {
      client.shutdown();
    }
  }

  /** Uses Lettuce's own codec, and one of the shop. */
  private record Customers(
      RedisCommands<String, String> words, RedisCommands<String, String> orders)
      implements Application {
    @Override
    public String call(int i) {
      String key = "key" + i;
      return switch (i % 3) {
        case 0 -> words.set(key, "pear," + i) + " " + words.get(key);
        case 1 -> words.set(key, HttpCalls.text(20_000)) + " " + words.getrange(key, 19_000, -1);
        default -> orders.set(key, "apple," + i) + " " + orders.get(key) + " " + orders.strlen(key);
      };
    }

    @Override
    public void lose(int i) {
      orders.set("none", "none");
    }
  }
}
