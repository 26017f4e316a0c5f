package org.buftrail.it.leaktests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.buftrail.it.programs.Mistakes;
import org.buftrail.it.programs.Mistakes.Batches;
import org.buftrail.it.programs.Mistakes.Fixed;
import org.buftrail.it.programs.Mistakes.Heartbeats;
import org.junit.jupiter.api.Test;

/** The tests of docs/fix-a-leak.md, of each mistake and of its fix. */
public final class MistakeTests {
  @Test
  void leakOfAWrongId() {
    assertThrows(IllegalArgumentException.class, () -> Mistakes.idOf(Mistakes.number(-1)));
  }

  @Test
  void aWrongIdIsReleased() {
    assertThrows(IllegalArgumentException.class, () -> Fixed.idOf(Mistakes.number(-1)));
  }

  @Test
  void leakOfAHeartbeat() {
    EmbeddedChannel channel = new EmbeddedChannel(new Heartbeats());
    channel.writeInbound(Mistakes.number(0));
    channel.finishAndReleaseAll();
  }

  @Test
  void aHeartbeatIsReleased() {
    EmbeddedChannel channel = new EmbeddedChannel(new Fixed.Heartbeats());
    channel.writeInbound(Mistakes.number(0));
    channel.finishAndReleaseAll();
  }

  @Test
  void leakOfAName() {
    ByteBuf message = Mistakes.name("Ada");
    assertEquals("Ada", Mistakes.nameOf(message));
    message.release();
  }

  @Test
  void aNameIsNoBuffer() {
    ByteBuf message = Mistakes.name("Ada");
    assertEquals("Ada", Fixed.nameOf(message));
    message.release();
  }

  @Test
  void leakOfAnAnswer() {
    EmbeddedChannel channel = new EmbeddedChannel();
    Mistakes.answer(channel, Mistakes.number(1));
    channel.finishAndReleaseAll();
  }

  @Test
  void anAnswerIsGivenAway() {
    EmbeddedChannel channel = new EmbeddedChannel();
    Fixed.answer(channel, Mistakes.number(1));
    channel.finishAndReleaseAll();
  }

  @Test
  void leakOfWhatWaits() {
    EmbeddedChannel channel = new EmbeddedChannel(new Batches());
    channel.writeInbound(Mistakes.number(1));
    channel.finishAndReleaseAll();
  }

  @Test
  void whatWaitsIsReleased() {
    EmbeddedChannel channel = new EmbeddedChannel(new Fixed.Batches());
    channel.writeInbound(Mistakes.number(1));
    channel.finishAndReleaseAll();
  }
}
