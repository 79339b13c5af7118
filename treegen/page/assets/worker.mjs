// Questions to the worker. The newest is answered first: it stops the one under way, which is asked
// again once nothing newer waits, or dropped where nobody wants its answer any more.
export const makeAsker = (startWorker, answerHere) => {
  const waiting = [];
  let worker, asked;

  const receive = (answer) => {
    const { resolve } = asked;
    asked = undefined;
    askNext();
    resolve(answer);
  };

  const askNext = () => {
    do asked = waiting.pop();
    while (asked && !asked.isWanted());
    if (!asked) return;
    worker ??= startWorker(receive);
    worker.postMessage(asked.question);
  };

  // A worker hears nothing while it computes: to stop it is to end it.
  const stop = () => {
    if (!asked) return;
    worker.terminate();
    worker = undefined;
    waiting.push(asked);
  };

  return (question, isWanted) => new Promise((resolve) => {
    try {
      stop();
      waiting.push({ question, isWanted, resolve });
      askNext();
    } catch {
      asked = waiting.length = 0;
      setTimeout(() => resolve(answerHere(question)));
    }
  });
};
